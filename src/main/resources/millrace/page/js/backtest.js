import { html, nothing } from 'lit-html';
import { getJson, postYaml, withQuery } from './api.js';
import { comparison } from './comparison.js';
import { complete } from './completion.js';
import { nanos, time } from './format.js';
import { queryError } from './queryerror.js';

/** Compares the text of the editor with the live rules on the records of a region. */
export class Backtest {
  #app;
  #text;
  #draw;
  #pipeline = null;
  /** Names of the regions that store records of the pipeline; null before they are loaded. */
  #regions = null;
  /** Start of the backtest that runs; null if none does. */
  #started = null;
  /** Aborts its request, which ends it in the service. */
  #aborting = null;
  #report = null;
  /** The problem detail of the last error; null if there is none. */
  #problem = null;

  /**
   * @param app the shell
   * @param text returns the rules
   * @param draw called when the template has changed
   */
  constructor(app, text, draw) {
    this.#app = app;
    this.#text = text;
    this.#draw = draw;
  }

  /** Completes names of fields in the inputs of the drawn template. */
  complete(element, fields) {
    element.querySelectorAll('.backtest .entry-field input').forEach((input) => complete(input, fields));
  }

  /** Ends the backtest that runs. */
  cancel() {
    this.#aborting?.abort();
    this.#aborting = null;
    this.#started = null;
  }

  /** Ends the backtest that runs, discards the last result, and loads the regions of a pipeline. */
  async choose(pipeline) {
    this.cancel();
    this.#pipeline = pipeline;
    this.#regions = null;
    this.#report = null;
    this.#problem = null;
    try {
      const [{ schema }, regions] = await Promise.all([
        getJson(`/api/pipelines/${encodeURIComponent(pipeline)}/explain`),
        getJson('/api/regions'),
      ]);
      if (pipeline === this.#pipeline) {
        this.#regions = regions.filter((region) => region.schema === schema).map(({ name }) => name);
      }
    } catch (e) {
      this.#problem = problemOf(e);
    }
    this.#draw();
  }

  async #run(event) {
    event.preventDefault();
    if (this.#started !== null) {
      return;
    }
    const pipeline = this.#pipeline;
    const parameters = Object.fromEntries(new FormData(event.target));
    const started = Date.now();
    this.#started = started;
    this.#aborting = new AbortController();
    this.#report = null;
    this.#problem = null;
    this.#app.announce(`Backtest of region ${parameters.region} started`);
    this.#draw();
    let report = null;
    let problem = null;
    try {
      const path = withQuery(`/api/pipelines/${encodeURIComponent(pipeline)}/rules/backtest`, parameters);
      report = await postYaml(path, this.#text(), null, this.#aborting.signal);
    } catch (e) {
      problem = problemOf(e);
    }
    if (started !== this.#started) {
      return; // It was cancelled.
    }
    this.#started = null;
    this.#aborting = null;
    this.#report = report;
    this.#problem = problem;
    this.#app.announce(problem ? 'Backtest failed' : 'Backtest completed');
    this.#draw();
  }

  #stop({ currentTarget: { form } }) {
    this.cancel();
    this.#app.announce('Backtest cancelled');
    this.#draw();
    form.querySelector('[type=submit]').focus();
  }

  template() {
    return html`<section class="section" aria-labelledby="backtest-title">
      <details class="card backtest">
        <summary><h2 id="backtest-title">Backtest on stored records</h2></summary>
        ${this.#form()}
        <div aria-busy=${this.#started !== null}>
          ${this.#regions?.length === 0 ? html`<p class="empty">No region stores records of this pipeline.</p>` : nothing}
          ${this.#problem ? problemText(this.#problem) : nothing}
          ${this.#started === null ? nothing : html`<p class="empty">Running since ${time(this.#started)}\u2026</p>`}
          ${this.#report ? reportCard(this.#report) : nothing}
        </div>
      </details>
    </section>`;
  }

  #form() {
    const running = this.#started !== null;
    return html`<form class="options" @submit=${(event) => this.#run(event)}>
      <div class="entry">
        <label for="backtest-region">region</label>
        <select id="backtest-region" name="region" required>
          ${this.#regions?.map((name) => html`<option value=${name}>${name}</option>`)}
        </select>
      </div>
      ${field('where', 'where', 'all records')} ${field('by', 'count differences by', 'fields, such as buySell')}
      <div class="entry">
        <label for="backtest-limit">records at most</label>
        <input id="backtest-limit" name="limit" type="number" min="1" placeholder="all" />
      </div>
      <div class="entry">
        <label for="backtest-timeout">timeout</label>
        <input id="backtest-timeout" name="timeout" autocomplete="off" placeholder="60s" />
      </div>
      <div class="send">
        <button type="submit" ?disabled=${running || !this.#regions?.length}>Backtest</button>
        ${running ? html`<button type="button" class="cancel" @click=${(event) => this.#stop(event)}>Cancel</button>` : nothing}
      </div>
    </form>`;
  }
}

const problemOf = (error) => ({ ...error.problem, detail: error.message });

/** Shows an error in the condition with its place. */
function problemText(problem) {
  return problem.expression === undefined
    ? html`<p class="problem" role="alert">${problem.detail}</p>`
    : queryError('backtest-error', problem.expression, problem.position ?? 0, problem);
}

function field(name, label, placeholder) {
  return html`<div class="entry wide">
    <label for="backtest-${name}">${label}</label>
    <div class="entry-field">
      <input id="backtest-${name}" name=${name} class="mono" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${placeholder} />
    </div>
  </div>`;
}

function reportCard(report) {
  return html`<h3>Region ${report.region}, compared with version ${report.version}</h3>
    ${report.records === 0
      ? html`<p class="empty">The region has no such records.</p>`
      : html`<div class="comparison">
          ${comparison(report, `With reading, it took ${nanos(Number(report.totalNanosPerRecord))} a record.`)}
        </div>`}`;
}
