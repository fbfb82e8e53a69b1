import { html, nothing, render } from 'lit-html';
import { getExact, getJson, withQuery } from '../api.js';
import { complete } from '../completion.js';
import { count, digits, figure, value } from '../format.js';
import { locate, mistake } from '../mistake.js';
import { SortedTable } from '../table.js';

/** Queries to what the regions hold. */
export const title = 'Query';

const PARAMETERS = { records: ['where', 'select', 'orderBy', 'limit'], figures: ['where', 'by', 'values', 'limit'] };
const LABELS = {
  where: ['where', 'all records'],
  select: ['select', 'all stored fields'],
  orderBy: ['order by', 'as they are found; desc behind an expression turns it round'],
  by: ['by', 'one group'],
  values: ['values', 'count(), sum(\u2026), min(\u2026), max(\u2026), avg(\u2026)'],
  limit: ['limit', '100'],
};
/** What is sent first of a region that has such fields. */
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
const NO_EXAMPLE = { needs: [], values: 'count()', limit: '20' };

let app;
let root;
let regions = null;
let error = null;
let fields = [];
let region = null;
let mode = 'records';
let table = null;
/** { kind, path, rows, names, result } of what was answered; null before. */
let answer = null;
let refused = null;
let request = null;

export function mount(element, of) {
  app = of;
  root = element;
  answer = null;
  refused = null;
  region = null;
  load();
}

export function unmount() {
  request?.abort();
}

/** #query?region=NAME&where=… asks; without a query, there is an example. */
export function route(_, parameters) {
  if (regions) {
    take(parameters);
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
    take(new URLSearchParams(location.hash.split('?')[1] ?? ''));
  }
}

const input = (name) => root.querySelector(`#query-${name}`);

async function take(parameters) {
  mode = parameters.get('mode') === 'figures' ? 'figures' : 'records';
  const sent = PARAMETERS[mode].some((name) => parameters.has(name));
  await chooseRegion(parameters.get('region') ?? region ?? regions[0], !sent);
  if (sent) {
    Object.keys(LABELS).forEach((name) => (input(name).value = parameters.get(name) ?? ''));
    await run();
  }
}

async function chooseRegion(name, withExample) {
  region = regions.includes(name) ? name : regions[0];
  answer = null;
  refused = null;
  try {
    fields = (await getJson(`/api/regions/${encodeURIComponent(region)}`)).fields.map(({ name: of, type = 'virtual' }) => ({
      name: of,
      type,
    }));
    error = null;
  } catch (e) {
    error = e.message;
  }
  if (withExample) {
    const has = new Set(fields.map((field) => field.name));
    const example = EXAMPLES.find(({ needs }) => needs.every((of) => has.has(of))) ?? NO_EXAMPLE;
    Object.keys(LABELS).forEach((of) => (input(of).value = example[of] ?? ''));
  }
  draw();
}

/** What is sent, without what is empty. */
function query() {
  return Object.fromEntries(PARAMETERS[mode].map((name) => [name, input(name).value.trim()]));
}

const path = (parameters) =>
  withQuery(`/api/regions/${encodeURIComponent(region)}/${mode === 'figures' ? 'aggregate' : 'records'}`, parameters);

async function run(event) {
  event?.preventDefault();
  request?.abort();
  const controller = new AbortController();
  request = controller;
  const sent = query();
  app.replace(withQuery('#query', { region, mode: mode === 'figures' ? mode : '', ...sent }));
  refused = null;
  draw();
  try {
    const result = await getExact(path(sent), controller.signal);
    const rows = result.records ?? result.groups;
    answer = { rows, result, sent, names: rows.length ? Object.keys(rows[0]) : [] };
    table = new SortedTable(draw);
    app.announce(`${rows.length} ${mode === 'figures' ? 'groups' : 'records'}`);
  } catch (e) {
    if (request !== controller) {
      return;
    }
    answer = null;
    refused = e.name === 'AbortError' ? null : refusal(e, sent);
  }
  if (request === controller) {
    request = null;
    draw();
    if (refused?.place) {
      const wrong = input(refused.place.parameter);
      wrong.focus();
      wrong.setSelectionRange(refused.place.position, refused.place.position);
    }
  }
}

function refusal(e, sent) {
  const problem = e.problem ?? { detail: e.message };
  return { problem, sent, place: locate(problem, sent) };
}

function draw() {
  if (!root.isConnected) {
    return;
  }
  if (!regions || regions.length === 0) {
    const words = regions ? 'No region is open here.' : 'Waiting for the regions\u2026';
    render(html`<h1 class="unseen">Query</h1>${error ? html`<p class="problem">${error}</p>` : html`<p class="empty">${words}</p>`}`, root);
    return;
  }
  render(
    html`
      <h1 class="unseen">Query</h1>
      ${form()} ${error ? html`<p class="problem">${error}</p>` : nothing}
      ${refused && !refused.place ? html`<p class="problem" role="alert">${refused.problem.detail}</p>` : nothing}
      <div class="answer">${answer ? answered(answer) : nothing}</div>
    `,
    root,
  );
}

function form() {
  const turn = (to) => () => {
    mode = to;
    answer = null;
    refused = null;
    draw();
  };
  return html`<form class="card query" @submit=${run}>
    <div class="of">
      <label for="query-region">region</label>
      <select id="query-region" @change=${(event) => chooseRegion(event.target.value, true)}>
        ${regions.map((name) => html`<option value=${name} ?selected=${name === region}>${name}</option>`)}
      </select>
      <div class="choices" role="group" aria-label="What is sent for">
        <button type="button" aria-pressed=${mode === 'records'} @click=${turn('records')}>records</button>
        <button type="button" aria-pressed=${mode === 'figures'} @click=${turn('figures')}>figures of groups</button>
      </div>
    </div>
    ${Object.keys(LABELS).map(parameter)}
    <div class="send">
      <button type="submit" class="primary">Query</button>
      ${request ? html`<button type="button" @click=${() => request.abort()}>Stop</button> <span class="note">looking\u2026</span>` : nothing}
      <span class="note keys"><kbd>Ctrl</kbd> <kbd>Space</kbd> lists the fields</span>
    </div>
  </form>`;
}

function parameter(name) {
  const [label, placeholder] = LABELS[name];
  const place = refused?.place?.parameter === name ? refused.place : null;
  const describedBy = place ? `mistake-${name}` : nothing;
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
    ${place ? mistake(describedBy, refused.sent[name], place.position, refused.problem) : nothing}
  </div>`;
}

function answered({ rows, result, sent, names }) {
  const csv = path({ ...sent, limit: sent.limit || 100, format: 'csv' });
  const all = sent.orderBy ? null : path({ ...sent, limit: '', format: 'csv' });
  return html`<section class="section" aria-labelledby="answer-title">
    <div class="head">
      <h2 id="answer-title">${count(rows.length)} ${result.groups ? 'groups' : 'records'}</h2>
      <span class="note">${looked(result)}</span>
      <span class="downloads">
        <a href=${csv} download="${region}.csv">CSV of these</a>
        ${all && result.records ? html`<a href=${all} download="${region}.csv">CSV of all</a>` : nothing}
      </span>
    </div>
    ${result.failed
      ? html`<p class="problem">${count(result.failed)} records are not in the answer, since they had no result: ${result.firstFailure}</p>`
      : nothing}
    ${rows.length
      ? html`<div class="card scroll rows" tabindex="0" role="group" aria-labelledby="answer-title">
          ${table.template('Answer', names, rows, { show: result.groups ? figure : value })}
        </div>`
      : html`<p class="empty">There is no such record.</p>`}
  </section>`;
}

function looked({ scanned, scannedBlocks, skippedBlocks, nanos }) {
  const skipped = skippedBlocks ? `, ${count(skippedBlocks)} blocks skipped` : '';
  return `${count(scanned)} looked at in ${count(scannedBlocks)} blocks${skipped}, ${digits(nanos / 1e6)} ms`;
}
