import { html, nothing, render, svg } from 'lit-html';
import { getJson } from '../api.js';
import { compact, count, digits, lag as lagText } from '../format.js';
import { layout } from '../layout.js';
import { StepPanel } from '../steppanel.js';

/** Each pipeline as its channels and steps, with what passes between them; and what a step is, in a panel with a tap. */
export const title = 'Flow';

const FEED = 'feed';
const REJECTED = 'rejected';

let live;
let root;
let resize;
/** Points of each pipeline, by its name, with the feed as the first and rejects as the last. */
let flows = new Map();
let error = null;
let chosen = { pipeline: null, point: null };
let panel = null;

export function mount(element, app) {
  live = app.live;
  root = element;
  flows = new Map();
  error = null;
  live.addEventListener('moment', draw);
  resize = new ResizeObserver(draw);
  resize.observe(element);
  root.addEventListener('keydown', press);
  load();
}

export function unmount() {
  live.removeEventListener('moment', draw);
  resize.disconnect();
  choose(null, null);
}

/** #flow/PIPELINE/POINT opens the panel of a point. */
export function route([pipeline = null, point = null]) {
  choose(pipeline, point);
  draw();
  if (pipeline) {
    root.querySelector(`#flow-${CSS.escape(pipeline)}`)?.scrollIntoView({ block: 'start' });
  }
}

async function load() {
  try {
    const pipelines = await getJson('/api/pipelines');
    const all = await Promise.all(
      pipelines.map(async ({ name }) => {
        const { points } = await getJson(`/api/pipelines/${encodeURIComponent(name)}/taps`);
        const nodes = drawn(points).map((point) => ({ ...point, id: point.name, after: point.after ?? FEED }));
        const feed = { id: FEED, name: FEED, kind: FEED, after: null };
        const rejected = { id: REJECTED, name: REJECTED, kind: REJECTED, after: 'admitted', side: true };
        return [name, [feed, ...nodes, rejected]];
      }),
    );
    flows = new Map(all);
  } catch (e) {
    error = e.message;
  }
  draw();
}

/** A step that only hands on to a region is left out: the region says as much. */
function drawn(points) {
  const handing = new Map(points.filter(({ kind }) => kind === 'to').map(({ name, after }) => [name, after]));
  return points
    .filter(({ name }) => !handing.has(name))
    .map((point) => ({ ...point, after: handing.get(point.after) ?? point.after }));
}

function choose(pipeline, point) {
  if (chosen.pipeline !== pipeline || chosen.point !== point) {
    panel?.close();
    // A panel draws while it is made.
    panel = null;
    chosen = { pipeline, point };
    panel = point ? new StepPanel(pipeline, point, draw) : null;
  }
}

function press(event) {
  if (event.key === 'Escape' && chosen.point) {
    const { pipeline, point } = chosen;
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
  const figures = live.moment?.pipelines.find((pipeline) => pipeline.name === name);
  const here = chosen.pipeline === name && nodes.some((node) => node.id === chosen.point);
  return html`<section class="section flow" id="flow-${name}" aria-labelledby="flow-title-${name}">
    <div class="head">
      <h2 id="flow-title-${name}">${name}</h2>
      ${figures ? html`<span class="note">${totals(figures)}</span>` : nothing}
    </div>
    <div class="card">${drawing(name, nodes, figures)}</div>
    ${here && panel ? panel.template(nodes.find((node) => node.id === chosen.point), figures) : nothing}
  </section>`;
}

function totals({ state, dropped, rejected, lag }) {
  return `${state} \u00b7 ${count(dropped)} dropped \u00b7 ${count(rejected)} rejected \u00b7 lag ${lagText(lag)}`;
}

function drawing(pipeline, nodes, figures) {
  const { nodes: placed, edges, width, height } = layout(nodes, root.clientWidth - cardPadding());
  return html`<div class="scroll drawing">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="group" aria-label="Flow of ${pipeline}">
      ${edges.map((edge) => edgeLine(edge, figures))} ${placed.map((node) => nodeBox(pipeline, node, figures))}
    </svg>
  </div>`;
}

const cardPadding = () => (root.clientWidth < 640 ? 31 : 42);

function edgeLine({ to, path, labelX, labelY, anchor }, figures) {
  const rate = figures ? rateInto(figures.name, to) : null;
  return svg`<path class="edge ${to === REJECTED ? 'aside' : ''} ${rate ? 'moving' : ''}" d=${path} />
    ${
      rate === null
        ? nothing
        : svg`<text class="rate" x=${labelX} y=${labelY} text-anchor=${anchor}>${compact(rate)}/s</text>`
    }`;
}

/** Records a second on the edge that ends at a point; null where nothing counts them. */
function rateInto(pipeline, point) {
  return live.rate((moment) => {
    const figures = moment.pipelines.find(({ name }) => name === pipeline);
    if (point === 'admitted') {
      return figures?.in;
    }
    if (point === REJECTED) {
      return figures?.rejected;
    }
    return point.startsWith('to-') ? figures?.keptByRegion[point.slice(3)] : stepOf(figures, point)?.in;
  });
}

const stepOf = (figures, point) => figures?.steps.find(({ name }) => name === `${figures.name}.${point}`);

function nodeBox(pipeline, { id, kind, x, y, width, height }, figures) {
  const isChosen = chosen.pipeline === pipeline && chosen.point === id;
  const some = kind === REJECTED && figures?.rejected > 0 ? 'some' : '';
  return svg`<a class="node ${kind} ${some} ${isChosen ? 'chosen' : ''}" href=${address(pipeline, id)}
    aria-current=${isChosen ? 'true' : nothing}>
    <rect x=${x} y=${y} width=${width} height=${height} rx="6" />
    <text class="name" x=${x + 10} y=${y + 20}>${nodeName(id)}</text>
    <text class="figure" x=${x + 10} y=${y + 37}>${nodeFigure(id, kind, figures)}</text>
  </a>`;
}

const nodeName = (id) => (id.startsWith('to-') ? id.slice(3) : id.replace(/^(\d+)-/, '$1 '));

function nodeFigure(id, kind, figures) {
  if (!figures) {
    return '';
  }
  if (kind === FEED) {
    return figures.lag < 0 ? '' : `lag ${compact(figures.lag)}`;
  }
  if (kind === REJECTED) {
    return figures.rejected ? `\u2715 ${compact(figures.rejected)}` : 'none';
  }
  if (id.startsWith('to-')) {
    const kept = figures.keptByRegion[id.slice(3)];
    return kept === undefined ? 'channel' : `${compact(kept)} kept`;
  }
  const step = stepOf(figures, id);
  if (!step) {
    return `${compact(figures.in)} in`;
  }
  const passed = step.kind === 'filter' && step.in ? ` \u00b7 ${digits((100 * step.out) / step.in)} %` : '';
  return `${digits(step.nanosPerRecord)} ns${passed}`;
}
