import { html, nothing, render } from 'lit-html';
import { getExact, getJson, postYaml, remove, withQuery } from '../api.js';
import { Backtest } from '../backtest.js';
import { comparison } from '../comparison.js';
import { complete } from '../completion.js';
import { explanation } from '../explanation.js';
import { day, nanos, time as clock } from '../format.js';
import { lineDiff } from '../linediff.js';
import { ShadowChart } from '../shadowchart.js';

/** Versions of the rules of a pipeline: edit, check, compare with the live ones, apply, go back. */
export const title = 'Rules';

const CHECK_AFTER_MS = 500;
const REFRESH_MS = 1000;
const VERSIONS_EVERY = 5;
/** On narrow screens, the explanation is closed at first. */
const WIDE = matchMedia('(min-width: 1000px)');

let app;
let root;
let pipelines = null;
let pipeline = null;
/** Unsaved texts by pipeline: { text, base }. They remain when the view is left. */
const drafts = new Map();
/** The versions of the pipeline, as the API returns them. */
let rules = null;
let fields = [];
/** The newest version of the pipeline, as { number, text }; null before it is loaded. */
let newest = null;
/** The version that the text of the editor changes, as { number, text }; null before the text is loaded. */
let base = null;
/** Number of the last request for the versions. Responses to earlier ones are not shown. */
let requested = 0;
let shadow = null;
let chart;
let backtest;
/** What is wrong with the text: a list of { property, place, message }. */
let mistakes = [];
let checked = '';
/** How the last text without mistakes was compiled, and this text; null if there is none. */
let explained = null;
/** What was wrong with the last action, and with the last request for the versions. */
let error = null;
let unread = null;
let message = null;
/** Number of the version whose changes are shown, with these. */
let changes = null;
let checking = null;
let refreshing = null;
let ticks = 0;

/** Asks before the page is left with unsaved texts. */
addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) {
    event.preventDefault();
  }
});

export function mount(element, shell) {
  app = shell;
  root = element;
  pipelines = null;
  chart = new ShadowChart();
  backtest = new Backtest(shell, () => editor().value, draw);
  refreshing = setInterval(tick, REFRESH_MS);
  load();
}

export function unmount() {
  clearInterval(refreshing);
  clearTimeout(checking);
  chart.draw(null);
  backtest.cancel();
  // What arrives from now on is not shown.
  pipeline = null;
  rules = null;
}

/** #rules/PIPELINE */
export function route([name]) {
  if (pipelines && name !== pipeline) {
    choose(name);
  }
}

const path = (rest = '') => `/api/pipelines/${encodeURIComponent(pipeline)}/rules${rest}`;
const editor = () => root.querySelector('#rules-text');
const comment = () => root.querySelector('#rules-comment').value.trim();

async function load() {
  const element = root;
  let names = null;
  let failure = null;
  try {
    names = (await getJson('/api/pipelines')).map(({ name }) => name);
  } catch (e) {
    failure = e.message;
  }
  if (element !== root || !root.isConnected) {
    return; // Another view was opened meanwhile.
  }
  pipelines = names;
  error = failure;
  draw();
  if (pipelines?.length) {
    complete(editor(), () => fields);
    backtest.complete(root, () => fields);
    choose(location.hash.split('/')[1]);
  }
}

async function choose(name) {
  const known = decodeURIComponent(name ?? '');
  pipeline = pipelines.includes(known) ? known : pipelines[0];
  rules = null;
  newest = null;
  shadow = null;
  changes = null;
  message = null;
  error = null;
  unread = null;
  show('', null);
  backtest.choose(pipeline);
  const chosen = pipeline;
  await refresh();
  if (chosen === pipeline) {
    loadFields();
    await refreshShadow();
  }
}

/** Reads the versions, and the text of the newest one if it is another than before. */
async function refresh() {
  const request = ++requested;
  const of = pipeline;
  const current = () => request === requested && of === pipeline;
  try {
    const read = await getJson(path());
    const known = read.newest === newest?.number;
    const text = known || read.newest === 0 ? '' : (await getJson(path(`/${read.newest}`))).text;
    if (!current()) {
      return;
    }
    rules = read;
    unread = null;
    if (!rules.shadow) {
      shadow = null;
    }
    if (!known) {
      // The editor has its own line ends.
      newest = { number: read.newest, text: text.replace(/\r\n?/g, '\n') };
      showNewest();
    }
    draw();
    if (!known && base === newest) {
      await explainLive();
    }
  } catch (e) {
    if (current()) {
      unread = e.message;
      draw();
    }
  }
}

/** Shows the newest version. A draft with another text stays in the editor, as changes to its own base. */
function showNewest() {
  const draft = drafts.get(pipeline);
  if (!draft || draft.text === newest.text) {
    drafts.delete(pipeline);
    show(newest.text, newest);
  } else if (!base) {
    change(draft.text, draft.base);
  }
}

/** Offers the fields of the regions that store the records. */
async function loadFields() {
  fields = [];
  const found = new Map();
  try {
    const { keptByRegion } = await getJson(`/api/pipelines/${encodeURIComponent(pipeline)}`);
    const regions = Object.keys(keptByRegion).filter((target) => !target.startsWith('output:'));
    for (const region of regions) {
      const { fields: ofRegion } = await getJson(`/api/regions/${encodeURIComponent(region)}`);
      ofRegion.forEach(({ name, type = 'virtual' }) => found.set(name, { name, type }));
    }
  } catch {
    // Without fields, the editor completes nothing.
  }
  fields = [...found.values()];
}

function show(text, version) {
  editor().value = text;
  base = version;
  checked = version?.text ?? '';
  mistakes = [];
  explained = null;
  draw();
}

/** Shows a text as changes to a version. */
function change(text, version) {
  show(text, version);
  typed();
}

/** Explains the text that was loaded, unless this process does not use that version. Needs no permission to change rules. */
async function explainLive() {
  const { number, text } = base;
  if (number === rules.here.version) {
    const compiled = await getJson(`/api/pipelines/${encodeURIComponent(pipeline)}/explain`);
    if (editor()?.value === text) {
      explained = { text, compiled };
      draw();
    }
  }
}

/** Keeps the text, and checks it when typing pauses. */
function typed() {
  const text = editor().value;
  error = null;
  if (text === base.text) {
    drafts.delete(pipeline);
  } else {
    drafts.set(pipeline, { text, base });
  }
  clearTimeout(checking);
  checking = setTimeout(check, CHECK_AFTER_MS);
  draw();
}

async function check() {
  const text = editor().value;
  let failure = null;
  let compiled = null;
  try {
    compiled = (await postYaml(path('?dryRun=true'), text)).explanation;
  } catch (e) {
    failure = e;
  }
  if (editor()?.value !== text) {
    return; // The text has changed meanwhile, and is checked again.
  }
  mistakes = [];
  if (failure) {
    fail(failure);
  } else {
    explained = { text, compiled };
  }
  checked = text;
  app.announce(mistakes.length ? `${mistakes.length} mistakes` : 'No mistakes');
  draw();
}

function fail(e) {
  mistakes = e.problem?.mistakes ?? mistakes;
  error = e.problem?.mistakes ? null : e.message;
}

/**
 * Shows the result of a request, or its error, unless another pipeline or view was opened meanwhile.
 *
 * @param done called with the response, returns the message
 */
async function act(request, done) {
  const of = pipeline;
  message = null;
  error = null;
  try {
    const response = await request;
    if (of === pipeline) {
      message = await done(response);
      app.announce(message);
    }
  } catch (e) {
    if (of === pipeline) {
      fail(e);
    }
  }
  draw();
}

const apply = () => act(send(pipeline, editor().value), applied);
const promote = () => act(postYaml(withQuery(path('/shadow/promote'), { comment: comment() }), '', shadow.version), applied);
const rollback = (number) => act(postYaml(withQuery(path('/rollback'), { to: number }), '', rules.newest), applied);
const compare = () =>
  act(postYaml(path('/shadow'), editor().value), (read) => {
    compareTo(read);
    mistakes = [];
    rules.shadow = true;
    return `Comparing with version ${shadow.version}.`;
  });
const stop = () =>
  act(remove(path('/shadow')), () => {
    rules.shadow = false;
    shadow = null;
    return 'The comparison has ended.';
  });

/** Applies a text. What is typed meanwhile changes the version that was made of it. */
async function send(to, text) {
  const result = await postYaml(withQuery(path(), { comment: comment() }), text, base.number);
  const version = { number: result.version.number, text };
  const draft = drafts.get(to);
  if (to === pipeline && base) {
    base = version;
    typed();
  } else if (draft?.text === text) {
    drafts.delete(to);
  } else if (draft) {
    draft.base = version;
  }
  return result;
}

async function applied({ version, state, detail, warnings }) {
  root.querySelector('#rules-comment').value = '';
  await refresh();
  const unchanged = state === 'unchanged';
  return `Version ${version.number}: ${unchanged ? 'these rules are live already' : state}.${detail ? ` ${detail}` : ''}${warnings.map((warning) => ` ${warning}`).join('')}`;
}

/**
 * Reads the versions every five seconds, because other clients may change them, and the comparison every second. Asks
 * for the pipelines until there is a response.
 */
async function tick() {
  if (error && !pipelines && !document.hidden) {
    await load();
  } else if (pipeline && !document.hidden) {
    if (ticks++ % VERSIONS_EVERY === 0) {
      await refresh();
    }
    await refreshShadow();
  }
}

function compareTo(read) {
  shadow = read;
  chart.add(read, Date.now());
}

async function refreshShadow() {
  const asked = pipeline;
  // Asked for only if there is one: a browser logs each response 404 as an error.
  if (!rules?.shadow) {
    shadow = null;
    return;
  }
  try {
    const read = await getExact(path('/shadow'));
    if (asked === pipeline && rules?.shadow) {
      compareTo(read);
    }
  } catch (e) {
    if (e.problem?.code === 'no-shadow' && rules) {
      rules.shadow = false;
      shadow = null;
    }
  }
  draw();
}

async function showChanges(number) {
  if (changes?.number === number) {
    changes = null;
    draw();
    return;
  }
  const earlier = rules.versions.find((version) => version.number < number);
  const texts = [number, earlier?.number].map((of) => (of === undefined ? { text: '' } : getJson(path(`/${of}`))));
  await act(Promise.all(texts), ([{ text: after }, { text: before }]) => {
    changes = { number, lines: lineDiff(before, after) };
    return `Changes of version ${number}`;
  });
}

const loadVersion = (number) =>
  act(getJson(path(`/${number}`)), ({ text }) => {
    change(text, newest);
    return `Version ${number} is in the editor.`;
  });

/** Lets a draft replace the newest version, which is another than that from which it was edited. */
function changeNewest() {
  change(editor().value, newest);
  message = `Apply replaces version ${newest.number} with this text.`;
  draw();
}

/** Moves the cursor to a place such as 3:14. */
function goTo(place) {
  const [line, column] = place.split(':').map(Number);
  const before = editor()
    .value.split('\n')
    .slice(0, line - 1)
    .reduce((length, text) => length + text.length + 1, 0);
  const at = before + Math.max(0, (column || 1) - 1);
  editor().focus();
  editor().setSelectionRange(at, at);
}

function draw() {
  if (!root.isConnected) {
    return;
  }
  if (!pipelines || pipelines.length === 0) {
    const text = pipelines ? 'This process has no pipelines.' : 'Loading pipelines\u2026';
    render(html`<h1 class="unseen">Rules</h1>${error ? html`<p class="problem">${error}</p>` : html`<p class="empty">${text}</p>`}`, root);
    return;
  }
  render(
    html`
      <h1 class="unseen">Rules</h1>
      ${form()} ${backtest.template()}
      ${shadow ? comparisonSection() : nothing} ${rules ? historySection() : nothing}
    `,
    root,
  );
  chart.draw(root.querySelector('#chart-shadow'));
}

function form() {
  const text = editor()?.value ?? '';
  const stale = text !== checked;
  const wrong = mistakes.length > 0;
  return html`<form class="card rules" @submit=${(event) => event.preventDefault()}>
    <div class="target">
      <label for="rules-pipeline">pipeline</label>
      <select id="rules-pipeline" @change=${(event) => (location.hash = `#rules/${encodeURIComponent(event.target.value)}`)}>
        ${pipelines.map((name) => html`<option value=${name} ?selected=${name === pipeline}>${name}</option>`)}
      </select>
      ${rules
        ? html`<span class="chip ${rules.here.problem ? 'bad' : 'good'}">version ${rules.here.version} is live</span>
            <span class="note">${rules.configured.live ? 'as configured' : 'not as configured'}</span>`
        : nothing}
      ${base && drafts.has(pipeline) ? unsaved() : nothing}
    </div>
    ${rules?.here.problem ? html`<p class="problem">${rules.here.problem}</p>` : nothing}
    <div class="work">
      <div class="entry">
        <label for="rules-text">steps</label>
        <div class="entry-field">
          <textarea id="rules-text" class="mono" rows="14" spellcheck="false" autocapitalize="off" wrap="off" ?readonly=${!base}
            aria-invalid=${wrong ? 'true' : nothing} aria-describedby=${wrong ? 'rules-mistakes' : nothing} @input=${typed} @change=${typed}></textarea>
        </div>
        ${wrong ? mistakeList() : nothing}
      </div>
      <details class="explanation" ?open=${WIDE.matches}>
        <summary><h2>Explanation</h2></summary>
        <div class="scroll" tabindex="0" role="group" aria-label="Explanation of the steps">${explanationText(text)}</div>
      </details>
    </div>
    ${(error ?? unread) ? html`<p class="problem" role="alert">${error ?? unread}</p>` : nothing}
    ${message ? html`<p class="done">${message}</p>` : nothing}
    <div class="entry">
      <label for="rules-comment">comment</label>
      <input id="rules-comment" autocomplete="off" placeholder="what the history says about the change" />
    </div>
    <div class="send">
      <button type="button" class="compare" ?disabled=${!base} @click=${compare}>Compare with live rules</button>
      <button type="button" class="primary apply" ?disabled=${!base} @click=${apply}>Apply</button>
      <span class="note" id="rules-state">${wrong ? '' : stale ? 'Checking\u2026' : text ? '\u2713 no mistakes' : ''}</span>
      <span class="note keys"><kbd>Ctrl</kbd> <kbd>Space</kbd> lists fields</span>
    </div>
  </form>`;
}

function unsaved() {
  const { number } = base;
  return number === newest.number
    ? html`<span class="note unsaved">You have unsaved changes to version ${number}.</span>`
    : html`<span class="note unsaved">You have unsaved changes to version ${number}, but version ${newest.number} is newer.</span>
        <button type="button" class="quiet newest" @click=${changeNewest}>Change version ${newest.number} instead</button>`;
}

function explanationText(text) {
  if (!explained) {
    return html`<p class="empty">Shows how the steps are compiled, once they have no mistakes.</p>`;
  }
  const earlier = mistakes.length > 0 && explained.text !== text;
  return html`${earlier ? html`<p class="note">Of the last text without mistakes:</p>` : nothing} ${explanation(explained.compiled)}`;
}

function mistakeList() {
  return html`<ul class="problem mistakes" id="rules-mistakes" role="alert">
    ${mistakes.map(
      ({ property, place, message: text }) =>
        html`<li>
          ${place
            ? html`<button type="button" class="quiet" @click=${() => goTo(place)}>line ${place.split(':')[0]}</button>`
            : nothing}
          <span class="mono">${property}</span>
          <pre>${text}</pre>
        </li>`,
    )}
  </ul>`;
}

function comparisonSection() {
  return html`<section class="section shadow" aria-labelledby="comparison-title">
    <div class="head">
      <h2 id="comparison-title">Compared with version ${shadow.version}</h2>
      <span class="note">${shadow.ended ?? `since position ${shadow.since}${by(shadow.author)}`}</span>
    </div>
    <div class="card comparison">
      ${chart.template()}
      ${comparison(shadow, `The comparison adds ${nanos(Number(shadow.totalNanosPerRecord))} to each record.`)}
      <div class="send">
        <button type="button" class="primary promote" ?disabled=${Boolean(shadow.ended)} @click=${promote}>Promote</button>
        <button type="button" class="stop" @click=${stop}>End comparison</button>
      </div>
    </div>
  </section>`;
}

/** Without authentication, the author is unknown. */
const by = (author) => (author === '-' ? '' : `, by ${author}`);

function historySection() {
  return html`<section class="section" aria-labelledby="history-title">
    <div class="head"><h2 id="history-title">History</h2></div>
    <ol class="versions" reversed>
      ${rules.versions.map(versionItem)}
    </ol>
  </section>`;
}

function versionItem({ number, time, author, origin, comment: text, uses }) {
  const live = number === rules.here.version;
  const since = uses.at(-1)?.since;
  return html`<li class="card" data-version=${number}>
    <div class="version">
      <strong>Version ${number}</strong>
      ${live ? html`<span class="chip good">live</span>` : nothing}
      <span>${text}</span>
      <span class="note">${day(time)} ${clock(time)}${by(author)}, from ${origin}${since === undefined ? '' : `, since position ${since}`}</span>
      <span class="actions">
        <button type="button" class="changes" aria-expanded=${changes?.number === number} @click=${() => showChanges(number)}>
          Changes<span class="unseen"> of version ${number}</span>
        </button>
        <button type="button" class="edit" @click=${() => loadVersion(number)}>Edit<span class="unseen"> version ${number}</span></button>
        ${live
          ? nothing
          : html`<button type="button" class="rollback" @click=${() => rollback(number)}>
              Roll back<span class="unseen"> to version ${number}</span>
            </button>`}
      </span>
    </div>
    ${changes?.number === number
      ? html`<pre class="diff" tabindex="0" aria-label="Changes of version ${number}">${changes.lines.map(
          ({ sign, text: line }) =>
            html`<span class=${sign === '+' ? 'added' : sign === '-' ? 'removed' : ''}>${sign} ${line}\n</span>`,
        )}</pre>`
      : nothing}
  </li>`;
}
