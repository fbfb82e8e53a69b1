import { html, nothing, render } from 'lit-html';
import { AlertList } from '../alertlist.js';
import { getJson } from '../api.js';
import { LINES } from '../colors.js';
import { count, digits, grouped, time, value } from '../format.js';
import { MeasureWindows } from '../measurewindows.js';
import { SortedTable } from '../table.js';
import { TimeChart } from '../timechart.js';

/** What the measures tell of groups of records, window by window, and their alerts. */
export const title = 'Measures';

const TOPS = [10, 50, 500];
/** Fields of each row that are its window's. */
const WINDOW_FIELDS = ['start', 'end', 'others'];
const REFRESH_MILLIS = 2000;

let root;
let names = null;
let error = null;
let chosen = null;
let measure = null;
let alerts = null;
let table = null;
let chart = null;
let refreshing = null;
let top = TOPS[0];
let open = false;
let figure = null;
/** Texts of the groups that were picked for the chart; none: the first ones. */
let picked = new Set();

export function mount(element) {
  root = element;
  names = null;
  alerts = new AlertList(draw);
  refreshing = setInterval(() => document.hidden || measure?.refresh(), REFRESH_MILLIS);
  load();
}

export function unmount() {
  clearInterval(refreshing);
  alerts.close();
  choose(null);
}

/** #measures/NAME shows a measure. */
export function route([name = null]) {
  if (names) {
    choose(name ?? names[0] ?? null);
  }
  draw();
}

async function load() {
  try {
    names = (await getJson('/api/measures')).map(({ name }) => name);
    error = null;
  } catch (e) {
    error = e.message;
  }
  if (root.isConnected && names) {
    const [, named] = location.hash.split('/');
    route(named ? [decodeURIComponent(named)] : []);
  }
  draw();
}

function choose(name) {
  if (name !== chosen) {
    measure?.close();
    chart?.destroy();
    chart = null;
    chosen = name;
    measure = name === null ? null : new MeasureWindows(name, draw);
    table = null;
    figure = null;
    picked = new Set();
  }
}

function draw() {
  if (!root.isConnected) {
    return;
  }
  render(
    html`
      <h1 class="unseen">Measures and alerts</h1>
      ${error ? html`<p class="problem">${error}</p>` : nothing} ${measureSection()} ${alerts.template()}
    `,
    root,
  );
  drawChart();
}

function measureSection() {
  if (names?.length === 0) {
    return html`<section class="section"><div class="head"><h2>Measures</h2></div>
      <p class="empty">No pipeline has a step <code>measure</code>.</p></section>`;
  }
  return html`<section class="section" aria-labelledby="measure-title">
    <div class="head">
      <h2 id="measure-title">${names?.length === 1 ? names[0] : 'Measures'}</h2>
      ${names?.length > 1
        ? html`<nav class="picks" aria-label="Measures">
            ${names.map((name) => html`<a href="#measures/${encodeURIComponent(name)}" aria-current=${name === chosen ? 'true' : nothing}>${name}</a>`)}
          </nav>`
        : nothing}
    </div>
    ${measure?.error ? html`<p class="problem">${measure.error}</p>` : nothing}
    ${measure?.about ? measureCard(measure.about) : html`<p class="empty">Waiting for the first figures\u2026</p>`}
  </section>`;
}

function measureCard(about) {
  const window = open ? about.current : measure.windows[0];
  const figures = Object.keys(about.values);
  figure = figures.includes(figure) ? figure : figures[0];
  table ??= new SortedTable(draw, figure);
  return html`
    <div class="card">
      <dl class="facts">
        ${[
          ['pipeline', about.pipeline],
          ['counted', count(about.counted)],
          ['late', count(about.late)],
          ['ahead', count(about.ahead)],
          ['failed', count(about.failed)],
        ].map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}
      </dl>
      ${about.firstFailure ? html`<p class="problem">${about.firstFailure}</p>` : nothing}
      <div class="controls">
        ${choices('Window', [[false, 'last closed'], [true, 'open']], open, (value) => (open = value))}
        ${choices('Groups', TOPS.map((of) => [of, `top ${of}`]), top, (value) => (top = value))}
      </div>
      ${window ? windowTable(about, window) : html`<p class="empty">${open ? 'No window is open.' : 'No window was closed yet.'}</p>`}
    </div>
    <div class="card history">
      <div class="controls">
        <h3>Closed windows</h3>
        ${figures.length > 1 ? choices('Value', figures.map((name) => [name, name]), figure, (name) => (figure = name)) : nothing}
        ${chartLegend(about)}
      </div>
      <figure><div class="canvas"><canvas id="chart-measure" role="img" aria-label="${figure} of the groups of the legend, window by window"></canvas></div></figure>
    </div>
  `;
}

function choices(name, values, taken, take) {
  const choose = (value) => () => {
    take(value);
    draw();
  };
  return html`<div class="choices" role="group" aria-label=${name}>
    ${values.map(([value, words]) => html`<button type="button" aria-pressed=${value === taken} @click=${choose(value)}>${words}</button>`)}
  </div>`;
}

const columns = (row) => Object.keys(row).filter((name) => !WINDOW_FIELDS.includes(name));

/** The group that a row is of, as a text. */
function group(about, row) {
  if (row.others) {
    return 'all others';
  }
  const by = columns(row).filter((name) => !(name in about.values));
  return by.length ? by.map((name) => value(row[name])).join(' \u00b7 ') : 'all records';
}

function windowTable(about, window) {
  const shown = window.rows.map((row) => ({ group: group(about, row), ...row }));
  const names = ['group', ...Object.keys(about.values)];
  const pick = ({ group: name }) => {
    picked = new Set(picked);
    if (!picked.delete(name)) {
      picked.add(name);
    }
    draw();
  };
  return html`
    <p class="note">${time(window.start)} to ${time(window.end)}, ${window.groups === null ? 'many' : count(window.groups)} groups; choose groups to see them below</p>
    <div class="scroll rows" tabindex="0" role="group" aria-label="Groups of the window">
      ${table.template(`Groups of ${about.name}`, names, shown, { most: top, pick, picked: (row) => picked.has(row.group), show: grouped })}
    </div>
  `;
}

/** Those that were picked, up to as many as there are lines, else those with the largest values in the last window. */
function charted(about) {
  const last = measure.windows[0]?.rows ?? [];
  const largest = [...last].sort((a, b) => (b[figure] ?? -Infinity) - (a[figure] ?? -Infinity)).slice(0, 3);
  const groups = picked.size ? [...picked] : largest.map((row) => group(about, row));
  return groups.slice(0, LINES.length);
}

function chartLegend(about) {
  const last = measure.windows[0]?.rows ?? [];
  const text = (name) => {
    const of = last.find((row) => group(about, row) === name)?.[figure];
    return grouped(of);
  };
  return html`<ul class="legend">
    ${charted(about).map(
      (name, i) => html`<li>
        <svg class="swatch" viewBox="0 0 22 8" aria-hidden="true">
          <path d="M0 4H22" stroke="var(${LINES[i].property})" stroke-dasharray=${LINES[i].dash.join(' ')} />
        </svg>
        <span class="note">${name}</span> <span class="value">${text(name)}</span>
      </li>`,
    )}
  </ul>`;
}

function drawChart() {
  const canvas = root.querySelector('#chart-measure');
  if (!canvas || measure.windows.length === 0) {
    return;
  }
  chart ??= new TimeChart(canvas, { time: null }, { left: { format: digits } });
  const windows = [...measure.windows].reverse();
  const at = windows.map(({ end }) => Date.parse(end));
  const series = charted(measure.about).map((name, i) => ({
    ...LINES[i],
    points: true,
    data: windows.map(({ rows }, w) => {
      const row = rows.find((of) => group(measure.about, of) === name);
      return { x: at[w], y: row && row[figure] !== null ? Number(row[figure]) : null };
    }),
  }));
  const before = at.length > 1 ? at[0] : Date.parse(windows[0].start);
  chart.show(before, at.at(-1), series);
}
