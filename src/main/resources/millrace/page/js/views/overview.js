import { html, nothing, render, svg } from 'lit-html';
import { LINES } from '../colors.js';
import { describeFault, isFaulty, restartButton } from '../faults.js';
import { bytes, compact, count, countOf, digits, twoDecimals, lag, millis, percent, time } from '../format.js';
import { HISTORY_MILLIS } from '../live.js';
import { sparkline } from '../sparkline.js';
import { points, TimeChart } from '../timechart.js';

/** The state of all pipelines and regions: throughput, records by outcome, and resources. */
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
  live.addEventListener('snapshot', draw);
  draw();
}

export function unmount() {
  live.removeEventListener('snapshot', draw);
  charts.forEach((chart) => chart.destroy());
  charts = [];
  cursor.time = null;
}

function draw() {
  const snapshot = live.snapshot;
  if (!snapshot) {
    render(html`<h1 class="unseen">Overview</h1><p class="empty">Waiting for data\u2026</p>`, root);
    return;
  }
  render(
    html`
      <h1 class="unseen">Overview</h1>
      <section aria-label="Pipelines" class="pipelines">
        ${snapshot.pipelines.length ? snapshot.pipelines.map(pipelineCard) : html`<p class="empty">This process runs no pipelines.</p>`}
      </section>
      <section class="section" aria-labelledby="time-title">
        <div class="head">
          <h2 id="time-title">Last ${Math.ceil(span() / MINUTE)} minutes</h2>
          <span class="note">shared time axis; point at a chart or use the arrow keys to read values</span>
        </div>
        <div class="card charts" tabindex="0" role="group" aria-labelledby="time-title" @pointermove=${onPointerMove}
          @pointerleave=${onPointerLeave} @keydown=${onKeydown}>
          ${chartFigure('throughput', throughputLegend(), 'tall')} ${chartFigure('heap', heapLegend())} ${chartFigure('cpu', cpuLegend())}
        </div>
      </section>
      ${regions(snapshot.regions)}
    `,
    root,
  );
  drawCharts();
}

function pipelineCard(pipeline, i) {
  const columns = live.history.pipelines[pipeline.name];
  const [sign, stateKind] = STATES[pipeline.state] ?? ['', ''];
  const kind = isFaulty(pipeline) ? 'bad' : stateKind;
  return html`
    <article class="card pipeline ${isFaulty(pipeline) ? 'faulty' : ''}" aria-labelledby="pipeline-${i}">
      <div class="title">
        <h2 id="pipeline-${i}"><a href="#flow/${encodeURIComponent(pipeline.name)}">${pipeline.name}</a></h2>
        <span class="chip ${kind}"><span aria-hidden="true">${sign}</span>${pipeline.state}</span>
      </div>
      <div class="throughput">
        <p class="now"><strong data-metric="eventsPerSecond">${count(pipeline.eventsPerSecond)}</strong> events/s</p>
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
      ${pipeline.owner ? html`<p class="note">Runs in process ${pipeline.owner}.</p>` : nothing}
      ${partitions(pipeline)}
      ${isFaulty(pipeline) ? html`<p class="problem">${describeFault(pipeline)} ${restartButton(pipeline)}</p>` : nothing}
    </article>
  `;
}

/** Returns the partitions that the source has, if there are several. */
function partitions(pipeline) {
  const present = pipeline.partitions.filter(({ absent }) => !absent);
  if (present.length < 2) {
    return nothing;
  }
  return html`<details class="partitions">
    <summary>${present.length} partitions, largest lag ${lag(Math.max(...present.map((partition) => partition.lag)))}</summary>
    <table>
      <thead>
        <tr><th scope="col" class="num">partition</th><th scope="col">state</th><th scope="col" class="num">position</th>
          <th scope="col" class="num">lag</th><th scope="col">process</th></tr>
      </thead>
      <tbody>
        ${present.map(
          ({ partition, state, position, lag: waiting, owner }) => html`<tr>
            <td class="num">${partition}</td><td>${state}</td><td class="num">${count(position)}</td>
            <td class="num">${lag(waiting)}</td><td>${owner ?? 'this one'}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

/** Returns the terms of a pipeline's balance. Superseded records are shown only after a takeover. */
function terms(pipeline) {
  return TERMS.filter(([name]) => name !== 'superseded' || pipeline.superseded > 0);
}

/** Returns in + made = kept + dropped + rejected + superseded + in flight, with a bar of the shares. */
function balance(pipeline) {
  const { conserved } = pipeline;
  return html`
    <div class="balance ${conserved ? 'good' : 'bad'}">
      <dl class="terms">
        <div class="term"><dt>in</dt><dd data-metric="in">${count(pipeline.in)}</dd></div>
        ${pipeline.made ? html`<div class="term made"><dt>made</dt><dd data-metric="made">${count(pipeline.made)}</dd></div>` : nothing}
        ${terms(pipeline).map(
          ([name, label]) => html`<div class="term ${name}">
            <dt>${label}</dt>
            <dd data-metric=${name}>${count(pipeline[name])}</dd>
          </div>`,
        )}
        <div class="verdict">
          <dt class="unseen">balance</dt>
          <dd class="chip ${conserved ? 'good' : 'bad'}">
            <span aria-hidden="true">${conserved ? '\u2713' : '\u2715'}</span>${conserved ? 'balanced' : 'records unaccounted for'}
          </dd>
        </div>
      </dl>
      ${shares(pipeline)}
    </div>
  `;
}

function shares(pipeline) {
  let offset = 0;
  const all = pipeline.in + pipeline.made;
  return html`<svg class="shares" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    ${TERMS.map(([name]) => {
      const width = all ? (100 * pipeline[name]) / all : 0;
      const x = offset;
      offset += width;
      return svg`<rect class=${name} x=${x} y="0" width=${width} height="1" />`;
    })}
  </svg>`;
}

/** Returns the index of the second whose values the legends show. */
function cursorIndex() {
  const { times } = live.history;
  if (cursor.time === null) {
    return times.length - 1;
  }
  const next = times.findIndex((time) => time >= cursor.time);
  return next < 0 ? times.length - 1 : next;
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
  const index = cursorIndex();
  const lines = live.snapshot.pipelines.map(({ name }, i) => ({
    ...pipelineLine(i),
    name,
    text: `${count(pipelines[name]?.eventsPerSecond[index])}/s`,
  }));
  return html`<div class="metric-head">
    <h3>Events per second and GC pauses</h3>
    ${legend([...lines, { bars: true, name: 'GC pauses', text: pauseText(gc, times[index]) }])}
    <span class="at">${time(times[index])}</span>
  </div>`;
}

/** Returns the longest GC pause near the cursor, or the number and the longest of all pauses without a cursor. */
function pauseText(gc, cursorTime) {
  const near = cursor.time === null ? gc : gc.filter((pause) => Math.abs(pause.time - cursorTime) <= CURSOR_STEP_MILLIS);
  if (near.length === 0) {
    return cursor.time === null ? 'none' : 'none within 5 s';
  }
  // The JVM reports pauses in whole milliseconds.
  const longest = Math.max(...near.map((pause) => pause.millis));
  const text = longest < 1 ? '< 1 ms' : millis(longest);
  return cursor.time === null ? `${count(gc.length)}, longest ${text}` : text;
}

function heapLegend() {
  return html`<div class="metric-head">
    <h3>Heap used</h3>
    <span class="value">${bytes(live.history.heapUsed[cursorIndex()])}</span>
    <span class="note">of ${bytes(live.snapshot.heapMax)}</span>
  </div>`;
}

function cpuLegend() {
  return html`<div class="metric-head">
    <h3>Process CPU</h3>
    <span class="value">${percent(live.history.cpu[cursorIndex()])}</span>
    <span class="note">of ${countOf(live.snapshot.processors, 'processor')}</span>
  </div>`;
}

function chartFigure(name, head, kind = '') {
  return html`<figure class=${kind}>
    <figcaption>${head}</figcaption>
    <div class="canvas"><canvas id="chart-${name}" aria-hidden="true"></canvas></div>
  </figure>`;
}

/** Returns the time span of the charts in milliseconds: that of the history, at least 2 and at most 15 minutes. */
function span() {
  const recorded = live.snapshot.time - (live.history.times[0] ?? live.snapshot.time);
  return Math.min(HISTORY_MILLIS, Math.max(2 * MINUTE, recorded));
}

function drawCharts() {
  if (charts.length === 0) {
    const chart = (name, axes) => new TimeChart(root.querySelector(`#chart-${name}`), cursor, axes);
    charts = [
      chart('throughput', { left: { format: compact }, right: { format: millis, headroom: 1.6 } }),
      chart('heap', { left: { format: bytes, suggestedMax: live.snapshot.heapMax / 4 }, reserveRight: true }),
      chart('cpu', { left: { format: percent, suggestedMax: 1 }, reserveRight: true }),
    ];
  }
  const { times, pipelines, heapUsed, cpu, gc } = live.history;
  const endTime = live.snapshot.time;
  const startTime = endTime - span();
  const [throughput, heap, processors] = charts;
  const lines = live.snapshot.pipelines
    .map(({ name }, i) => ({ name, line: pipelineLine(i) }))
    .filter(({ name }) => pipelines[name])
    .map(({ name, line }) => ({ data: points(times, pipelines[name].eventsPerSecond), ...line }));
  const pauses = { data: gc.map((pause) => ({ x: pause.time, y: pause.millis })), property: '--pause', bars: true, axis: 'right' };
  throughput.show(startTime, endTime, [...lines, pauses]);
  heap.show(startTime, endTime, [{ data: points(times, heapUsed), property: '--s1' }]);
  processors.show(startTime, endTime, [{ data: points(times, cpu), property: '--s1' }]);
}

function moveCursor(newTime) {
  cursor.time = newTime;
  draw();
}

const onPointerMove = (event) => moveCursor(charts[0].timeAt(event.clientX));
const onPointerLeave = () => moveCursor(null);

function onKeydown(event) {
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  const { times } = live.history;
  if (steps[event.key] && times.length) {
    event.preventDefault();
    const target = (cursor.time ?? times.at(-1)) + steps[event.key] * CURSOR_STEP_MILLIS;
    moveCursor(Math.min(times.at(-1), Math.max(times[0], target)));
  } else if (event.key === 'Escape') {
    moveCursor(null);
  }
}

function regions(list) {
  return html`<section class="section" aria-labelledby="regions-title">
    <div class="head"><h2 id="regions-title">Regions</h2></div>
    ${list.length === 0
      ? html`<p class="empty">This process has no open regions.</p>`
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
    <td class="num">${twoDecimals(region.bytesPerRecord)}</td>
    <td class="num"><a href="#query?region=${encodeURIComponent(region.name)}">query<span class="unseen"> ${region.name}</span></a></td>
  </tr>`;
}
