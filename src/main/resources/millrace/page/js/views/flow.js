import { html, nothing, render, svg } from 'lit-html';
import { getJson } from '../api.js';
import { compact, count, digits, lag as lagText, percent } from '../format.js';
import { layout } from '../layout.js';
import { StepPanel } from '../steppanel.js';

/** Each pipeline as a graph of its points, with rates on the edges, and a panel with details and a tap of a point. */
export const title = 'Flow';

const FEED = 'feed';
const REJECTED = 'rejected';

let live;
let root;
let resize;
/** Points of each pipeline by its name. The feed is the first and the rejects are the last. */
let flows = new Map();
/** Versions of the rules with which the points were loaded. */
let versions = null;
let error = null;
let selected = { pipeline: null, point: null };
let panel = null;

export function mount(element, app) {
  live = app.live;
  root = element;
  flows = new Map();
  versions = null;
  error = null;
  live.addEventListener('snapshot', onSnapshot);
  resize = new ResizeObserver(draw);
  resize.observe(element);
  root.addEventListener('keydown', onKeydown);
  load();
}

export function unmount() {
  live.removeEventListener('snapshot', onSnapshot);
  resize.disconnect();
  select(null, null);
}

/** #flow/PIPELINE/POINT opens the panel of a point. */
export function route([pipeline = null, point = null]) {
  select(pipeline, point);
  draw();
  if (pipeline) {
    root.querySelector(`#flow-${CSS.escape(pipeline)}`)?.scrollIntoView({ block: 'start' });
  }
}

/** Other rules have other points. */
function onSnapshot() {
  const now = live.snapshot.pipelines.map(({ rulesVersion }) => rulesVersion).join();
  const changed = versions !== null && versions !== now;
  versions = now;
  if (changed) {
    load();
  }
  draw();
}

async function load() {
  try {
    const pipelines = await getJson('/api/pipelines');
    const entries = await Promise.all(
      pipelines.map(async ({ name }) => {
        const { points } = await getJson(`/api/pipelines/${encodeURIComponent(name)}/taps`);
        const nodes = visiblePoints(points).map((point) => ({ ...point, id: point.name, after: point.after ?? FEED }));
        const feed = { id: FEED, name: FEED, kind: FEED, after: null };
        const rejected = { id: REJECTED, name: REJECTED, kind: REJECTED, after: 'admitted', side: true };
        return [name, [feed, ...nodes, rejected]];
      }),
    );
    flows = new Map(entries);
  } catch (e) {
    error = e.message;
  }
  draw();
}

/** Leaves out steps of kind to, because the node of their region shows the same. */
function visiblePoints(points) {
  const toSteps = new Map(points.filter(({ kind }) => kind === 'to').map(({ name, after }) => [name, after]));
  return points
    .filter(({ name }) => !toSteps.has(name))
    .map((point) => ({ ...point, after: toSteps.get(point.after) ?? point.after }));
}

function select(pipeline, point) {
  if (selected.pipeline !== pipeline || selected.point !== point) {
    panel?.close();
    // The constructor of a panel calls draw.
    panel = null;
    selected = { pipeline, point };
    panel = point ? new StepPanel(pipeline, point, draw) : null;
  }
}

function onKeydown(event) {
  if (event.key === 'Escape' && selected.point) {
    const { pipeline, point } = selected;
    location.hash = `#flow/${encodeURIComponent(pipeline)}`;
    root.querySelector(`[href="${CSS.escape(address(pipeline, point))}"]`)?.focus();
  }
}

const address = (pipeline, point) => `#flow/${encodeURIComponent(pipeline)}/${encodeURIComponent(point)}`;

function draw() {
  if (error) {
    render(html`<h1 class="unseen">Flow</h1><p class="problem">${error}</p>`, root);
    return;
  }
  render(
    html`<h1 class="unseen">Flow</h1>
      ${[...flows].map(([name, nodes]) => pipelineSection(name, nodes))}`,
    root,
  );
}

function pipelineSection(name, nodes) {
  const status = live.snapshot?.pipelines.find((pipeline) => pipeline.name === name);
  const here = selected.pipeline === name && nodes.some((node) => node.id === selected.point);
  return html`<section class="section flow" id="flow-${name}" aria-labelledby="flow-title-${name}">
    <div class="head">
      <h2 id="flow-title-${name}">${name}</h2>
      ${status ? html`<span class="note">${totals(status)}</span>` : nothing}
    </div>
    <div class="card">${drawing(name, nodes, status)}</div>
    ${here && panel ? panel.template(nodes.find((node) => node.id === selected.point), status) : nothing}
  </section>`;
}

function totals({ state, dropped, rejected, lag }) {
  return `${state} \u00b7 ${count(dropped)} dropped \u00b7 ${count(rejected)} rejected \u00b7 lag ${lagText(lag)}`;
}

function drawing(pipeline, nodes, status) {
  const { nodes: placed, edges, width, height } = layout(nodes, root.clientWidth - cardPadding());
  return html`<div class="scroll drawing">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="group" aria-label="Flow of ${pipeline}">
      ${edges.map((edge) => edgeLine(edge, status))} ${placed.map((node) => nodeBox(pipeline, node, status))}
    </svg>
  </div>`;
}

const cardPadding = () => (root.clientWidth < 640 ? 31 : 42);

function edgeLine({ to, path, labelX, labelY, anchor }, status) {
  const rate = status ? rateInto(status.name, to) : null;
  return svg`<path class="edge ${to === REJECTED ? 'side' : ''} ${rate ? 'moving' : ''}" d=${path} />
    ${
      rate === null
        ? nothing
        : svg`<text class="rate" x=${labelX} y=${labelY} text-anchor=${anchor}>${compact(rate)}/s</text>`
    }`;
}

/** Returns the records per second on the edge to a point, null if no counter covers them. */
function rateInto(pipeline, point) {
  return live.rate((snapshot) => {
    const status = snapshot.pipelines.find(({ name }) => name === pipeline);
    if (point === 'admitted') {
      return status?.in;
    }
    if (point === REJECTED) {
      return status?.rejected;
    }
    return point.startsWith('to-') ? status?.keptByRegion[point.slice(3)] : stepOf(status, point)?.in;
  });
}

const stepOf = (status, point) => status?.steps.find(({ name }) => name === `${status.name}.${point}`);

function nodeBox(pipeline, { id, kind, x, y, width, height }, status) {
  const isSelected = selected.pipeline === pipeline && selected.point === id;
  const nonzero = kind === REJECTED && status?.rejected > 0 ? 'nonzero' : '';
  return svg`<a class="node ${kind} ${nonzero} ${isSelected ? 'selected' : ''}" href=${address(pipeline, id)}
    aria-current=${isSelected ? 'true' : nothing}>
    <rect x=${x} y=${y} width=${width} height=${height} rx="6" />
    <text class="name" x=${x + 10} y=${y + 20}>${nodeName(id)}</text>
    <text class="metric" x=${x + 10} y=${y + 37}>${nodeMetric(id, kind, status)}</text>
  </a>`;
}

const nodeName = (id) => (id.startsWith('to-') ? id.slice(3) : id.replace(/^(\d+)-/, '$1 '));

function nodeMetric(id, kind, status) {
  if (!status) {
    return '';
  }
  if (kind === FEED) {
    return status.lag < 0 ? '' : `lag ${compact(status.lag)}`;
  }
  if (kind === REJECTED) {
    return status.rejected ? `\u2715 ${compact(status.rejected)}` : 'none';
  }
  if (id.startsWith('to-')) {
    const kept = status.keptByRegion[id.slice(3)];
    return kept === undefined ? 'channel' : `${compact(kept)} kept`;
  }
  const step = stepOf(status, id);
  if (!step) {
    return `${compact(status.in)} in`;
  }
  const passed = step.kind === 'filter' && step.in ? ` \u00b7 ${percent(step.out / step.in)}` : '';
  return `${digits(step.nanosPerRecord)} ns${passed}`;
}
