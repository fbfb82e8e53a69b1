import { html, nothing, render, svg } from 'lit-html';
import { LINES } from '../colors.js';
import { describeFault, isFaulty } from '../faults.js';
import { bytes, compact, count, digits, hundredths, lag, millis, percent, time } from '../format.js';
import { KEPT_MILLIS } from '../live.js';
import { sparkline } from '../sparkline.js';
import { points, TimeChart } from '../timechart.js';

/** What runs, what of it was kept, and what it costs, at a glance. */
export const title = 'Overview';

const MINUTE = 60_000;
const CURSOR_STEP_MILLIS = 5000;
const STATES = {
  running: ['\u25b6', 'good'],
  waiting: ['\u25cc', ''],
  standby: ['\u25cb', ''],
  degraded: ['\u2715', 'bad'],
  done: ['\u2713', 'good'],
  failed: ['\u2715', 'bad'],
};
const TERMS = [
  ['kept', 'kept'],
  ['dropped', 'dropped'],
  ['rejected', 'rejected'],
  ['superseded', 'superseded'],
  ['inFlight', 'in flight'],
];

let live;
let root;
let charts = [];
const cursor = { time: null };

export function mount(element, app) {
  live = app.live;
  root = element;
  live.addEventListener('moment', draw);
  draw();
}

export function unmount() {
  live.removeEventListener('moment', draw);
  charts.forEach((chart) => chart.destroy());
  charts = [];
  cursor.time = null;
}

function draw() {
  const moment = live.moment;
  if (!moment) {
    render(html`<h1 class="unseen">Overview</h1><p class="empty">Waiting for the first figures\u2026</p>`, root);
    return;
  }
  render(
    html`
      <h1 class="unseen">Overview</h1>
      <section aria-label="Pipelines" class="pipelines">
        ${moment.pipelines.length ? moment.pipelines.map(pipelineCard) : html`<p class="empty">No pipeline runs here.</p>`}
      </section>
      <section class="section" aria-labelledby="time-title">
        <div class="head">
          <h2 id="time-title">The last ${Math.ceil(span() / MINUTE)} minutes</h2>
          <span class="note">records and pauses on one axis of time; point at it, or use the arrow keys</span>
        </div>
        <div class="card charts" tabindex="0" role="group" aria-labelledby="time-title" @pointermove=${point}
          @pointerleave=${leave} @keydown=${press}>
          ${figure('throughput', throughputLegend(), 'tall')} ${figure('heap', heapLegend())} ${figure('cpu', cpuLegend())}
        </div>
      </section>
      ${regions(moment.regions)}
    `,
    root,
  );
  drawCharts();
}

function pipelineCard(pipeline, i) {
  const columns = live.history.pipelines[pipeline.name];
  const [sign, ownKind] = STATES[pipeline.state] ?? ['', ''];
  const kind = isFaulty(pipeline) ? 'bad' : ownKind;
  return html`
    <article class="card pipeline ${isFaulty(pipeline) ? 'faulty' : ''}" aria-labelledby="pipeline-${i}">
      <div class="who">
        <h2 id="pipeline-${i}"><a href="#flow/${encodeURIComponent(pipeline.name)}">${pipeline.name}</a></h2>
        <span class="chip ${kind}"><span aria-hidden="true">${sign}</span>${pipeline.state}</span>
      </div>
      <div class="pace">
        <p class="now"><strong data-figure="eventsPerSecond">${count(pipeline.eventsPerSecond)}</strong> events/s</p>
        ${columns ? sparkline(columns.eventsPerSecond) : nothing}
      </div>
      ${balance(pipeline)}
      <dl class="more">
        <div><dt>lag</dt><dd>${lag(pipeline.lag)}</dd></div>
        <div><dt>allocated per event</dt><dd>${digits(pipeline.bytesPerEvent)} B</dd></div>
        ${Object.entries(pipeline.rejectedByReason).filter(([, records]) => records).map(
          ([reason, records]) => html`<div><dt>rejected: ${reason}</dt><dd>${count(records)}</dd></div>`,
        )}
      </dl>
      ${pipeline.owner ? html`<p class="note">Runs in ${pipeline.owner}.</p>` : nothing}
      ${isFaulty(pipeline) ? html`<p class="problem">${describeFault(pipeline)}</p>` : nothing}
    </article>
  `;
}

/** Returns the terms of a pipeline's balance. Superseded records are shown only after a takeover. */
function terms(pipeline) {
  return TERMS.filter(([name]) => name !== 'superseded' || pipeline.superseded > 0);
}

/** in = kept + dropped + rejected + superseded + in flight, in a line, with the share of each. */
function balance(pipeline) {
  const { conserved } = pipeline;
  return html`
    <div class="balance ${conserved ? 'good' : 'bad'}">
      <dl class="terms">
        <div class="term"><dt>in</dt><dd data-figure="in">${count(pipeline.in)}</dd></div>
        ${terms(pipeline).map(
          ([name, words]) => html`<div class="term ${name}">
            <dt>${words}</dt>
            <dd data-figure=${name}>${count(pipeline[name])}</dd>
          </div>`,
        )}
        <div class="verdict">
          <dt class="unseen">balance</dt>
          <dd class="chip ${conserved ? 'good' : 'bad'}">
            <span aria-hidden="true">${conserved ? '\u2713' : '\u2715'}</span>${conserved ? 'adds up' : 'does not add up'}
          </dd>
        </div>
      </dl>
      ${shares(pipeline)}
    </div>
  `;
}

function shares(pipeline) {
  let from = 0;
  return html`<svg class="shares" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    ${TERMS.map(([name]) => {
      const width = pipeline.in ? (100 * pipeline[name]) / pipeline.in : 0;
      const x = from;
      from += width;
      return svg`<rect class=${name} x=${x} y="0" width=${width} height="1" />`;
    })}
  </svg>`;
}

/** The index of the second that the figures beside the charts are of. */
function readAt() {
  const { times } = live.history;
  if (cursor.time === null) {
    return times.length - 1;
  }
  const behind = times.findIndex((at) => at >= cursor.time);
  return behind < 0 ? times.length - 1 : behind;
}

function legend(entries) {
  return html`<ul class="legend">
    ${entries.map(
      ({ property, dash, bars, name, text }) => html`<li>
        <svg class="swatch" viewBox="0 0 22 8" aria-hidden="true">
          ${bars
            ? svg`<path d="M4 8V3M11 8V0M18 8V5" class="bars" />`
            : svg`<path d="M0 4H22" stroke=${`var(${property})`} stroke-dasharray=${dash.join(' ')} />`}
        </svg>
        <span class="name">${name}</span> <span class="value">${text}</span>
      </li>`,
    )}
  </ul>`;
}

const pipelineLine = (i) => LINES[i % LINES.length];

function throughputLegend() {
  const { times, pipelines, gc } = live.history;
  const at = readAt();
  const lines = live.moment.pipelines.map(({ name }, i) => ({
    ...pipelineLine(i),
    name,
    text: `${count(pipelines[name]?.eventsPerSecond[at])}/s`,
  }));
  return html`<div class="figure-head">
    <h3>Events a second, and pauses of the collector</h3>
    ${legend([...lines, { bars: true, name: 'pause', text: pauseText(gc, times[at]) }])}
    <span class="at">${time(times[at])}</span>
  </div>`;
}

/** At the cursor the longest pause nearby; without a cursor that of all. */
function pauseText(gc, at) {
  const near = cursor.time === null ? gc : gc.filter((pause) => Math.abs(pause.time - at) <= CURSOR_STEP_MILLIS);
  if (near.length === 0) {
    return cursor.time === null ? 'none' : 'none here';
  }
  const longest = millis(Math.max(...near.map((pause) => pause.millis)));
  return cursor.time === null ? `${count(gc.length)}, longest ${longest}` : longest;
}

function heapLegend() {
  return html`<div class="figure-head">
    <h3>Heap used</h3>
    <span class="value">${bytes(live.history.heapUsed[readAt()])}</span>
    <span class="note">of ${bytes(live.moment.heapMax)}</span>
  </div>`;
}

function cpuLegend() {
  return html`<div class="figure-head">
    <h3>CPU of this process</h3>
    <span class="value">${percent(live.history.cpu[readAt()])}</span>
    <span class="note">of ${live.moment.processors} processors</span>
  </div>`;
}

function figure(name, head, kind = '') {
  return html`<figure class=${kind}>
    <figcaption>${head}</figcaption>
    <div class="canvas"><canvas id="chart-${name}" aria-hidden="true"></canvas></div>
  </figure>`;
}

/** What the charts cover: all that is known, two minutes at least and a quarter of an hour at most. */
function span() {
  const known = live.moment.time - (live.history.times[0] ?? live.moment.time);
  return Math.min(KEPT_MILLIS, Math.max(2 * MINUTE, known));
}

function drawCharts() {
  if (charts.length === 0) {
    const chart = (name, axes) => new TimeChart(root.querySelector(`#chart-${name}`), cursor, axes);
    charts = [
      chart('throughput', { left: { format: compact }, right: { format: millis, room: 1.6 } }),
      chart('heap', { left: { format: bytes, most: live.moment.heapMax / 4 }, spare: true }),
      chart('cpu', { left: { format: percent, most: 1 }, spare: true }),
    ];
  }
  const { times, pipelines, heapUsed, cpu, gc } = live.history;
  const until = live.moment.time;
  const from = until - span();
  const [throughput, heap, processors] = charts;
  const lines = live.moment.pipelines
    .map(({ name }, i) => ({ name, line: pipelineLine(i) }))
    .filter(({ name }) => pipelines[name])
    .map(({ name, line }) => ({ data: points(times, pipelines[name].eventsPerSecond), ...line }));
  const pauses = { data: gc.map((pause) => ({ x: pause.time, y: pause.millis })), property: '--pause', bars: true, axis: 'right' };
  throughput.show(from, until, [...lines, pauses]);
  heap.show(from, until, [{ data: points(times, heapUsed), property: '--s1' }]);
  processors.show(from, until, [{ data: points(times, cpu), property: '--s1' }]);
}

function moveCursor(to) {
  cursor.time = to;
  draw();
}

const point = (event) => moveCursor(charts[0].timeAt(event.clientX));
const leave = () => moveCursor(null);

function press(event) {
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  const { times } = live.history;
  if (steps[event.key] && times.length) {
    event.preventDefault();
    const to = (cursor.time ?? times.at(-1)) + steps[event.key] * CURSOR_STEP_MILLIS;
    moveCursor(Math.min(times.at(-1), Math.max(times[0], to)));
  } else if (event.key === 'Escape') {
    moveCursor(null);
  }
}

function regions(list) {
  return html`<section class="section" aria-labelledby="regions-title">
    <div class="head"><h2 id="regions-title">Regions</h2></div>
    ${list.length === 0
      ? html`<p class="empty">No region is open here.</p>`
      : html`<div class="card scroll" tabindex="0" role="group" aria-labelledby="regions-title">
          <table>
            <thead>
              <tr>
                <th scope="col">region</th><th scope="col">layout</th><th scope="col">schema</th>
                <th scope="col" class="num">records</th><th scope="col" class="num">bytes</th>
                <th scope="col" class="num">bytes per record</th><th scope="col"><span class="unseen">actions</span></th>
              </tr>
            </thead>
            <tbody>
              ${list.map(regionRow)}
            </tbody>
          </table>
        </div>`}
  </section>`;
}

function regionRow(region) {
  return html`<tr>
    <th scope="row">${region.name}</th>
    <td>${region.layout}${region.persistent ? ', persistent' : nothing}</td>
    <td>${region.schema}</td>
    <td class="num">${count(region.records)}</td>
    <td class="num">${bytes(region.bytes)}</td>
    <td class="num">${hundredths(region.bytesPerRecord)}</td>
    <td class="num"><a href="#query?region=${encodeURIComponent(region.name)}">query<span class="unseen"> ${region.name}</span></a></td>
  </tr>`;
}
