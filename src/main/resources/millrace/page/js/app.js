import { html, nothing, render } from 'lit-html';
import { getJson } from './api.js';
import { time } from './format.js';
import { describeFault, faults } from './faults.js';
import { Live } from './live.js';
import * as query from './views/query.js';
import * as flow from './views/flow.js';
import * as measures from './views/measures.js';
import * as overview from './views/overview.js';

/**
 * The shell: tabs, connection, theme, and the view that the address names: #VIEW/PATH?PARAMETERS. A view is a module with
 * title, mount(element, app), unmount(), and route(path, parameters) if the rest of the address means something to it.
 */
const views = { overview, flow, map: null, measures, query };
const THEMES = ['auto', 'light', 'dark'];
const STATES = {
  connecting: ['\u25cc', 'connecting'],
  live: ['\u25cf', 'live'],
  silent: ['\u25cb', 'no news for 5 s'],
  cut: ['\u2715', 'cut off, trying again'],
  paused: ['\u2016', 'paused'],
};
const FAULTY = ['\u2715', 'live, with faults'];

const byId = (id) => document.getElementById(id);
const live = new Live();
let shown = null;
let alerts = 0;
let faultyBefore = '';

const app = {
  live,
  /** Tells those who do not look at the screen. */
  announce: (text) => (byId('announcements').textContent = text),
  /** Changes the address without a new entry in the browser's history. */
  replace: (address) => history.replaceState(null, '', address),
};

function place() {
  const [path, parameters] = location.hash.slice(1).split('?', 2);
  const [name, ...rest] = path.split('/').map(decodeURIComponent);
  return { name: views[name] ? name : 'overview', rest, parameters: new URLSearchParams(parameters ?? '') };
}

function route() {
  const { name, rest, parameters } = place();
  if (shown !== name) {
    const content = byId('content');
    views[shown]?.unmount();
    const element = document.createElement('div');
    element.className = `view view-${name}`;
    content.replaceChildren(element);
    document.title = `${views[name].title} \u2013 Millrace`;
    views[name].mount(element, app);
    if (shown !== null) {
      content.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    shown = name;
    drawTabs();
  }
  views[name].route?.(rest, parameters);
}

function drawTabs() {
  const badge = html`<span class="badge">${alerts}<span class="unseen"> standing alerts</span></span>`;
  render(
    Object.entries(views)
      .filter(([, view]) => view)
      .map(
        ([name, view]) =>
          html`<a href="#${name}" aria-current=${name === shown ? 'page' : nothing}
            >${view.title}${name === 'measures' && alerts ? badge : nothing}</a
          >`,
      ),
    byId('tabs'),
  );
}

function drawConnection() {
  const faulty = live.state === 'live' && faults(live.moment).length > 0;
  const [sign, words] = faulty ? FAULTY : STATES[live.state];
  const element = byId('connection');
  element.className = `connection ${faulty ? 'faulty' : live.state}`;
  render(html`<span class="sign" aria-hidden="true">${sign}</span>${words}`, element);
  element.title = live.moment ? `figures of ${time(live.moment.time)}` : '';
}

/** Above every view: which pipelines have failed or reject records, and why. */
function drawFaults() {
  const faulty = faults(live.moment);
  const names = faulty.map(({ name }) => name).join(', ');
  if (names !== faultyBefore) {
    faultyBefore = names;
    app.announce(names ? `Faulty pipelines: ${names}` : 'No faulty pipelines');
  }
  byId('faults').hidden = faulty.length === 0;
  render(
    faulty.map(
      (pipeline) => html`<p class="problem">
        <a href="#flow/${encodeURIComponent(pipeline.name)}">${pipeline.name}</a> ${describeFault(pipeline)}
      </p>`,
    ),
    byId('faults'),
  );
}

function drawTheme() {
  byId('theme').textContent = `Theme: ${document.documentElement.dataset.theme ?? 'auto'}`;
}

function nextTheme() {
  const root = document.documentElement;
  const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? 'auto') + 1) % THEMES.length];
  if (next === 'auto') {
    delete root.dataset.theme;
    localStorage.removeItem('theme');
  } else {
    root.dataset.theme = next;
    localStorage.setItem('theme', next);
  }
  drawTheme();
  dispatchEvent(new Event('theme'));
}

/** Shows the user who has signed in; without users there is none. */
async function showUser() {
  const { name, role } = await getJson('/api/user');
  byId('user').hidden = !name;
  byId('sign-out').textContent = `Sign out ${name}`;
  byId('sign-out').title = `You have the role ${role}.`;
}

/** The map's tab is there where a map is configured. */
async function findMap() {
  try {
    await getJson('/api/map');
  } catch {
    return;
  }
  views.map = await import('./views/map.js');
  drawTabs();
  route();
}

let moments = 0;
async function countAlerts() {
  if (moments++ % 5 === 0) {
    const count = (await getJson('/api/alerts')).raised.length;
    if (count !== alerts) {
      alerts = count;
      app.announce(`Standing alerts: ${count}`);
      drawTabs();
    }
  }
}

byId('skip').addEventListener('click', (event) => {
  // The address after # names a view, so the browser can't be left to jump.
  event.preventDefault();
  byId('content').focus();
});
byId('theme').addEventListener('click', nextTheme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => dispatchEvent(new Event('theme')));
addEventListener('hashchange', route);
live.addEventListener('state', drawConnection);
live.addEventListener('moment', drawConnection);
live.addEventListener('moment', drawFaults);
live.addEventListener('moment', () => countAlerts().catch(() => {}));
drawTheme();
drawConnection();
route();
live.start();
findMap();
showUser().catch(() => {});
