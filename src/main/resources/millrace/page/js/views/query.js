import { html, nothing, render } from 'lit-html';
import { getExact, getJson, withQuery } from '../api.js';
import { complete } from '../completion.js';
import { countOf, digits, rounded, value } from '../format.js';
import { locateError, queryError } from '../queryerror.js';
import { SortedTable } from '../table.js';

/** Queries of regions: records, or aggregates of groups of records. */
export const title = 'Query';

const PARAMETERS = { records: ['where', 'select', 'orderBy', 'limit'], groups: ['where', 'by', 'values', 'limit'] };
const LABELS = {
  where: ['where', 'all records'],
  select: ['select', 'all stored fields'],
  orderBy: ['order by', 'unordered; append desc to an expression for descending order'],
  by: ['by', 'one group of all records'],
  values: ['values', 'count(), sum(\u2026), min(\u2026), max(\u2026), avg(\u2026)'],
  limit: ['limit', '100'],
};
/** Suggested queries for regions that have the fields in needs. */
const EXAMPLES = [
  {
    needs: ['currency1', 'currency2', 'buySell', 'exchangeRate'],
    where: "currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'",
    orderBy: 'exchangeRate',
    by: 'currency2',
    values: 'count(), sum(amount1), avg(exchangeRate)',
    limit: '10',
  },
  {
    needs: ['status', 'terminateCause', 'district'],
    where: "status == 'Stop' and terminateCause == 'Lost-Carrier'",
    select: 'time, msisdn, cell, district, sessionTime',
    by: 'district',
    values: 'count()',
    limit: '20',
  },
];
const DEFAULT_EXAMPLE = { needs: [], values: 'count()', limit: '20' };

let app;
let root;
let regions = null;
let error = null;
let fields = [];
let region = null;
let mode = 'records';
let table = null;
/** The result of the last query: { rows, response, parameters, names }; null if there is none. */
let result = null;
/** The error of the last query: { problem, parameters, place }; null if there is none. */
let failure = null;
let request = null;

export function mount(element, shell) {
  app = shell;
  root = element;
  result = null;
  failure = null;
  region = null;
  load();
}

export function unmount() {
  request?.abort();
}

/** #query?region=NAME&where=… runs the query. Without a query in the address, an example is suggested. */
export function route(_, parameters) {
  if (regions) {
    apply(parameters);
  }
}

async function load() {
  try {
    regions = (await getJson('/api/regions')).map(({ name }) => name);
  } catch (e) {
    error = e.message;
  }
  if (!root.isConnected) {
    return;
  }
  draw();
  if (regions?.length) {
    Object.keys(LABELS)
      .filter((name) => name !== 'limit')
      .forEach((name) => complete(input(name), () => fields));
    apply(new URLSearchParams(location.hash.split('?')[1] ?? ''));
  }
}

const input = (name) => root.querySelector(`#query-${name}`);

async function apply(parameters) {
  mode = parameters.get('mode') === 'groups' ? 'groups' : 'records';
  const hasQuery = PARAMETERS[mode].some((name) => parameters.has(name));
  await chooseRegion(parameters.get('region') ?? region ?? regions[0], !hasQuery);
  if (hasQuery) {
    Object.keys(LABELS).forEach((name) => (input(name).value = parameters.get(name) ?? ''));
    await run();
  }
}

async function chooseRegion(name, withExample) {
  region = regions.includes(name) ? name : regions[0];
  result = null;
  failure = null;
  try {
    fields = (await getJson(`/api/regions/${encodeURIComponent(region)}`)).fields.map(({ name: field, type = 'virtual' }) => ({
      name: field,
      type,
    }));
    error = null;
  } catch (e) {
    error = e.message;
  }
  if (withExample) {
    const names = new Set(fields.map((field) => field.name));
    const example = EXAMPLES.find(({ needs }) => needs.every((field) => names.has(field))) ?? DEFAULT_EXAMPLE;
    Object.keys(LABELS).forEach((parameter) => (input(parameter).value = example[parameter] ?? ''));
  }
  draw();
}

/** Returns the parameters of the current query. */
function query() {
  return Object.fromEntries(PARAMETERS[mode].map((name) => [name, input(name).value.trim()]));
}

const path = (parameters) =>
  withQuery(`/api/regions/${encodeURIComponent(region)}/${mode === 'groups' ? 'aggregate' : 'records'}`, parameters);

/** @param skip whether to leave out records for which an expression has no result */
async function run(event, skip = false) {
  event?.preventDefault();
  request?.abort();
  const controller = new AbortController();
  request = controller;
  const parameters = query();
  app.replace(withQuery('#query', { region, mode: mode === 'groups' ? mode : '', ...parameters }));
  failure = null;
  draw();
  try {
    const sent = skip ? { ...parameters, onError: 'skip' } : parameters;
    const response = await getExact(path(sent), controller.signal);
    const rows = response.records ?? response.groups;
    result = { rows, response, parameters: sent, names: rows.length ? Object.keys(rows[0]) : [] };
    table = new SortedTable(draw);
    app.announce(countOf(rows.length, response.groups ? 'group' : 'record'));
  } catch (e) {
    if (request !== controller) {
      return;
    }
    result = null;
    failure = e.name === 'AbortError' ? null : describeFailure(e, parameters);
  }
  if (request === controller) {
    request = null;
    draw();
    if (failure?.place) {
      const { parameter, position } = failure.place;
      input(parameter).focus();
      input(parameter).setSelectionRange(position, position);
    }
  }
}

function describeFailure(e, parameters) {
  const problem = e.problem ?? { detail: e.message };
  return { problem, parameters, place: locateError(problem, parameters) };
}

function draw() {
  if (!root.isConnected) {
    return;
  }
  if (!regions || regions.length === 0) {
    const text = regions ? 'This process has no open regions.' : 'Loading regions\u2026';
    render(html`<h1 class="unseen">Query</h1>${error ? html`<p class="problem">${error}</p>` : html`<p class="empty">${text}</p>`}`, root);
    return;
  }
  render(
    html`
      <h1 class="unseen">Query</h1>
      ${form()} ${error ? html`<p class="problem">${error}</p>` : nothing}
      ${failure && !failure.place ? html`<p class="problem" role="alert">${failure.problem.detail}</p>` : nothing}
      ${failure?.problem.code === 'incomplete'
        ? html`<p><button type="button" @click=${(event) => run(event, true)}>Leave these records out</button></p>`
        : nothing}
      <div class="result">${result ? resultSection(result) : nothing}</div>
    `,
    root,
  );
}

function form() {
  const switchMode = (newMode) => () => {
    mode = newMode;
    result = null;
    failure = null;
    draw();
  };
  return html`<form class="card query" @submit=${run}>
    <div class="target">
      <label for="query-region">region</label>
      <select id="query-region" @change=${(event) => chooseRegion(event.target.value, true)}>
        ${regions.map((name) => html`<option value=${name} ?selected=${name === region}>${name}</option>`)}
      </select>
      <div class="choices" role="group" aria-label="Result">
        <button type="button" aria-pressed=${mode === 'records'} @click=${switchMode('records')}>records</button>
        <button type="button" aria-pressed=${mode === 'groups'} @click=${switchMode('groups')}>groups</button>
      </div>
    </div>
    ${Object.keys(LABELS).map(parameter)}
    <div class="send">
      <button type="submit" class="primary">Run query</button>
      ${request ? html`<button type="button" @click=${() => request.abort()}>Stop</button> <span class="note">Running\u2026</span>` : nothing}
      <span class="note keys"><kbd>Ctrl</kbd> <kbd>Space</kbd> lists fields</span>
    </div>
  </form>`;
}

function parameter(name) {
  const [label, placeholder] = LABELS[name];
  const place = failure?.place?.parameter === name ? failure.place : null;
  const describedBy = place ? `error-${name}` : nothing;
  const submit = (event) => {
    if (event.key === 'Enter' && !event.shiftKey) {
      run(event);
    }
  };
  return html`<div class="parameter ${name}" ?hidden=${!PARAMETERS[mode].includes(name)}>
    <label for="query-${name}">${label}</label>
    <div class="entry">
      ${name === 'where'
        ? html`<textarea id="query-where" class="mono" rows="2" spellcheck="false" autocapitalize="off" placeholder=${placeholder}
            aria-invalid=${place ? 'true' : nothing} aria-describedby=${describedBy} @keydown=${submit}></textarea>`
        : html`<input id="query-${name}" class="mono" spellcheck="false" autocapitalize="off" autocomplete="off" placeholder=${placeholder}
            inputmode=${name === 'limit' ? 'numeric' : 'text'} aria-invalid=${place ? 'true' : nothing} aria-describedby=${describedBy} />`}
    </div>
    ${place ? queryError(describedBy, failure.parameters[name], place.position, failure.problem) : nothing}
  </div>`;
}

function resultSection({ rows, response, parameters, names }) {
  const csv = path({ ...parameters, limit: parameters.limit || 100, format: 'spreadsheet' });
  const allCsv = parameters.orderBy ? null : path({ ...parameters, limit: '', format: 'spreadsheet' });
  return html`<section class="section" aria-labelledby="result-title">
    <div class="head">
      <h2 id="result-title">${countOf(rows.length, response.groups ? 'group' : 'record')}</h2>
      <span class="note">${scanSummary(response)}</span>
      <span class="downloads">
        <a href=${csv} download="${region}.csv">Download as CSV</a>
        ${allCsv && response.records ? html`<a href=${allCsv} download="${region}.csv">Download all as CSV</a>` : nothing}
      </span>
    </div>
    ${response.failed
      ? html`<p class="problem">Excluded ${countOf(response.failed, 'record')} without a result: ${response.firstFailure}</p>`
      : nothing}
    ${rows.length
      ? html`<div class="card scroll rows" tabindex="0" role="group" aria-labelledby="result-title">
          ${table.template('Result', names, rows, { format: response.groups ? rounded : value })}
        </div>`
      : html`<p class="empty">No records found.</p>`}
  </section>`;
}

function scanSummary({ scanned, scannedBlocks, skippedBlocks, nanos }) {
  // Regions of entries have no blocks.
  const blocks = scannedBlocks || skippedBlocks ? ` in ${countOf(scannedBlocks, 'block')}` : '';
  const skipped = skippedBlocks ? `, skipped ${countOf(skippedBlocks, 'block')}` : '';
  return `scanned ${countOf(scanned, 'record')}${blocks}${skipped}, ${digits(nanos / 1e6)} ms`;
}
