import { html, nothing } from 'lit-html';
import { getJson } from './api.js';
import { compiledExpression, constraints } from './expressions.js';
import { count, countOf, digits, lag } from './format.js';
import { Tap } from './tap.js';

/** Interval at which the counts of expressions are loaded. */
const RELOAD_MILLIS = 2000;

/** Details of a point of a pipeline: counts, expressions with their compiled form, and a tap. */
export class StepPanel {
  #pipeline;
  #point;
  #draw;
  #tap = null;
  #reloading = null;
  #step = null;
  #error = null;

  /**
   * Loads the details and listens to the tap until {@link close}.
   *
   * @param pipeline name of the pipeline
   * @param point name of the point; the feed and the rejects have no tap
   * @param draw called when the panel must be drawn again
   */
  constructor(pipeline, point, draw) {
    this.#pipeline = pipeline;
    this.#point = point;
    this.#draw = draw;
    const path = `/api/pipelines/${encodeURIComponent(pipeline)}`;
    if (point !== 'feed' && point !== 'rejected') {
      this.#tap = new Tap(`${path}/taps/${encodeURIComponent(point)}`, draw);
      this.#load(`${path}/explain`);
      this.#reloading = setInterval(() => document.hidden || this.#load(`${path}/explain`), RELOAD_MILLIS);
    }
  }

  close() {
    this.#tap?.close();
    clearInterval(this.#reloading);
  }

  async #load(path) {
    try {
      const { steps } = await getJson(path);
      this.#error = null;
      this.#step = steps.find(({ name }) => name === `${this.#pipeline}.${this.#point}`) ?? null;
    } catch (e) {
      this.#error = e.message;
    }
    this.#draw();
  }

  /**
   * Returns the panel.
   *
   * @param node node of the point: name, kind, channel
   * @param status current status of the pipeline, undefined before the first snapshot
   */
  template(node, status) {
    return html`<div class="card panel" role="region" aria-label="${node.name} of ${this.#pipeline}">
      <div class="panel-head">
        <h3>${node.name}</h3>
        ${node.channel ? html`<span class="note">channel <code>${node.channel}</code></span>` : nothing}
        <a class="button" href="#flow/${encodeURIComponent(this.#pipeline)}">Close</a>
      </div>
      ${this.#error ? html`<p class="problem">${this.#error}</p>` : nothing}
      ${status ? facts(this.#facts(node, status)) : nothing}
      ${this.#step ? [constraints(this.#step), ...this.#step.expressions.map(counted)] : nothing}
      ${this.#tap ? html`<div class="tap">${this.#tap.template()}</div>` : nothing}
    </div>`;
  }

  #facts({ kind, name }, status) {
    if (kind === 'feed') {
      const counts = Object.entries(status.feed).map(([counter, value]) => [counter, count(value)]);
      return [
        ['source', status.source],
        ['records', count(status.in)],
        ['position', count(status.position)],
        ['lag', lag(status.lag)],
        ...counts,
      ];
    }
    if (kind === 'rejected') {
      const reasons = Object.entries(status.rejectedByReason).filter(([, records]) => records);
      return [['records', count(status.rejected)], ...reasons.map(([reason, records]) => [reason, count(records)])];
    }
    const step = status.steps.find((candidate) => candidate.name === `${status.name}.${name}`);
    if (step) {
      const code = this.#step ? [['code', countOf(this.#step.codeBytes, 'byte')]] : [];
      const writes = this.#step?.writes.length ? [['writes', this.#step.writes.map((field) => field.name).join(', ')]] : [];
      return [
        ['in', count(step.in)],
        ['out', count(step.out)],
        ['per record', `${digits(step.nanosPerRecord)} ns`],
        ...code,
        ...writes,
      ];
    }
    const kept = status.keptByRegion[name.slice(3)];
    return kept === undefined ? [['in', count(status.in)]] : [['kept', count(kept)]];
  }
}

function facts(pairs) {
  return html`<dl class="facts">${pairs.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`;
}

const counted = (expression) => compiledExpression(expression, html`<p class="note">${count(expression.in)} in, ${count(expression.out)} out</p>`);
