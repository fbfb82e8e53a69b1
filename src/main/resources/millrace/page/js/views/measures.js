import { html, nothing, render } from 'lit-html';
import { AlertList } from '../alertlist.js';
import { getJson } from '../api.js';
import { LINES } from '../colors.js';
import { count, countOf, digits, grouped, time, value } from '../format.js';
import { MeasureWindows } from '../measurewindows.js';
import { SortedTable } from '../table.js';
import { TimeChart } from '../timechart.js';

/** Windows of the measures by group, and alerts. */
export const title = 'Measures';

const GROUP_LIMITS = [10, 50, 500];
/** Fields of a row that describe its window. */
const WINDOW_FIELDS = ['start', 'end', 'others'];
const REFRESH_MILLIS = 2000;

let root;
let names = null;
let error = null;
let selected = null;
let measure = null;
let alerts = null;
let table = null;
let chart = null;
let refreshTimer = null;
let groupLimit = GROUP_LIMITS[0];
let showOpen = false;
let valueName = null;
/** Texts of the groups that are selected for the chart. If empty, the chart shows the largest groups. */
let selectedGroups = new Set();

export function mount(element) {
  root = element;
  names = null;
  alerts = new AlertList(draw);
  refreshTimer = setInterval(() => document.hidden || measure?.refresh(), REFRESH_MILLIS);
  load();
}

export function unmount() {
  clearInterval(refreshTimer);
  alerts.close();
  select(null);
}

/** #measures/NAME shows a measure. Without a name, the first one. */
export function route([name = null]) {
  if (names) {
    select(name ?? names[0] ?? null);
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

function select(name) {
  if (name !== selected) {
    measure?.close();
    chart?.destroy();
    chart = null;
    selected = name;
    measure = name === null ? null : new MeasureWindows(name, draw);
    table = null;
    valueName = null;
    selectedGroups = new Set();
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
      <p class="empty">No pipeline has a <code>measure</code> step.</p></section>`;
  }
  return html`<section class="section" aria-labelledby="measure-title">
    <div class="head">
      <h2 id="measure-title">${names?.length === 1 ? names[0] : 'Measures'}</h2>
      ${names?.length > 1
        ? html`<nav class="measure-links" aria-label="Measures">
            ${names.map((name) => html`<a href="#measures/${encodeURIComponent(name)}" aria-current=${name === selected ? 'true' : nothing}>${name}</a>`)}
          </nav>`
        : nothing}
    </div>
    ${measure?.error ? html`<p class="problem">${measure.error}</p>` : nothing}
    ${measure?.status ? measureCard(measure.status) : html`<p class="empty">Waiting for data\u2026</p>`}
  </section>`;
}

function measureCard(status) {
  const window = showOpen ? status.current : measure.windows[0];
  const valueNames = Object.keys(status.values);
  valueName = valueNames.includes(valueName) ? valueName : valueNames[0];
  table ??= new SortedTable(draw, valueName);
  return html`
    <div class="card">
      <dl class="facts">
        ${[
          ['pipeline', status.pipeline],
          ['counted', count(status.counted)],
          ['late', count(status.late)],
          ['ahead', count(status.ahead)],
          ['failed', count(status.failed)],
        ].map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}
      </dl>
      ${status.firstFailure ? html`<p class="problem">${status.firstFailure}</p>` : nothing}
      <div class="controls">
        ${choices('Window', [[false, 'last closed'], [true, 'open']], showOpen, (value) => (showOpen = value))}
        ${choices('Groups', GROUP_LIMITS.map((limit) => [limit, `top ${limit}`]), groupLimit, (value) => (groupLimit = value))}
      </div>
      ${window ? windowTable(status, window) : html`<p class="empty">${showOpen ? 'No open window.' : 'No closed windows yet.'}</p>`}
    </div>
    <div class="card history">
      <div class="controls">
        <h3>Closed windows</h3>
        ${valueNames.length > 1 ? choices('Value', valueNames.map((name) => [name, name]), valueName, (name) => (valueName = name)) : nothing}
        ${chartLegend(status)}
      </div>
      <figure><div class="canvas"><canvas id="chart-measure" role="img" aria-label="${valueName} of the groups in the legend, by window"></canvas></div></figure>
    </div>
  `;
}

function choices(name, values, selectedValue, onSelect) {
  const choose = (value) => () => {
    onSelect(value);
    draw();
  };
  return html`<div class="choices" role="group" aria-label=${name}>
    ${values.map(([value, label]) => html`<button type="button" aria-pressed=${value === selectedValue} @click=${choose(value)}>${label}</button>`)}
  </div>`;
}

const columns = (row) => Object.keys(row).filter((name) => !WINDOW_FIELDS.includes(name));

/** Returns the text of the group of a row. */
function group(status, row) {
  if (row.others) {
    return 'all others';
  }
  const by = columns(row).filter((name) => !(name in status.values));
  return by.length ? by.map((name) => value(row[name])).join(' \u00b7 ') : 'all records';
}

function windowTable(status, window) {
  const rows = window.rows.map((row) => ({ group: group(status, row), ...row }));
  const names = ['group', ...Object.keys(status.values)];
  const toggle = ({ group: name }) => {
    selectedGroups = new Set(selectedGroups);
    if (!selectedGroups.delete(name)) {
      selectedGroups.add(name);
    }
    draw();
  };
  return html`
    <p class="note">${time(window.start)} to ${time(window.end)}, ${window.groups === null ? 'many groups' : countOf(window.groups, 'group')}; select groups to show them in the chart</p>
    <div class="scroll rows" tabindex="0" role="group" aria-label="Groups of the window">
      ${table.template(`Groups of ${status.name}`, names, rows, {
        maxRows: groupLimit,
        onSelect: toggle,
        isSelected: (row) => selectedGroups.has(row.group),
        format: grouped,
      })}
    </div>
  `;
}

/** Returns the selected groups, at most one for each line style, or those with the largest values in the last window. */
function chartedGroups(status) {
  const last = measure.windows[0]?.rows ?? [];
  const largest = [...last].sort((a, b) => (b[valueName] ?? -Infinity) - (a[valueName] ?? -Infinity)).slice(0, 3);
  const groups = selectedGroups.size ? [...selectedGroups] : largest.map((row) => group(status, row));
  return groups.slice(0, LINES.length);
}

function chartLegend(status) {
  const last = measure.windows[0]?.rows ?? [];
  const text = (name) => {
    const row = last.find((candidate) => group(status, candidate) === name);
    return grouped(row?.[valueName]);
  };
  return html`<ul class="legend">
    ${chartedGroups(status).map(
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
  const endTimes = windows.map(({ end }) => Date.parse(end));
  const series = chartedGroups(measure.status).map((name, i) => ({
    ...LINES[i],
    points: true,
    data: windows.map(({ rows }, w) => {
      const row = rows.find((candidate) => group(measure.status, candidate) === name);
      return { x: endTimes[w], y: row && row[valueName] !== null ? Number(row[valueName]) : null };
    }),
  }));
  const startTime = endTimes.length > 1 ? endTimes[0] : Date.parse(windows[0].start);
  chart.show(startTime, endTimes.at(-1), series);
}
