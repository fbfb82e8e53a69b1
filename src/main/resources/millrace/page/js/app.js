import { html, nothing, render } from 'lit-html';
import { getJson } from './api.js';
import { time } from './format.js';
import { describeFault, faults, restartButton } from './faults.js';
import { Live } from './live.js';
import * as query from './views/query.js';
import * as flow from './views/flow.js';
import * as measures from './views/measures.js';
import * as overview from './views/overview.js';
import * as rules from './views/rules.js';

/**
 * The shell of the page: tabs, connection state, theme, and the view in the address: #VIEW/PATH?PARAMETERS. A view is
 * a module with title, mount(element, app), unmount(), and optionally route(path, parameters) for the rest of the
 * address.
 */
const views = { overview, flow, map: null, measures, query, rules };
const THEMES = ['auto', 'light', 'dark'];
const STATES = {
  connecting: ['\u25cc', 'Connecting\u2026'],
  live: ['\u25cf', 'Live'],
  stale: ['\u25cb', 'No data for 5 s'],
  disconnected: ['\u2715', 'Connection lost. Reconnecting\u2026'],
  paused: ['\u2016', 'Paused'],
};
const FAULTY = ['\u2715', 'Live, with faults'];

const byId = (id) => document.getElementById(id);
const live = new Live();
let currentView = null;
let raisedAlerts = 0;
let announcedFaults = '';

const app = {
  live,
  /** Announces a text to screen readers. */
  announce: (text) => (byId('announcements').textContent = text),
  /** Replaces the address without adding an entry to the browser's history. */
  replace: (address) => history.replaceState(null, '', address),
};

function parseAddress() {
  const [path, parameters] = location.hash.slice(1).split('?', 2);
  const [name, ...rest] = path.split('/').map(decodeURIComponent);
  return { name: views[name] ? name : 'overview', rest, parameters: new URLSearchParams(parameters ?? '') };
}

function route() {
  const { name, rest, parameters } = parseAddress();
  if (currentView !== name) {
    const content = byId('content');
    views[currentView]?.unmount();
    const element = document.createElement('div');
    element.className = `view view-${name}`;
    content.replaceChildren(element);
    document.title = `${views[name].title} \u2013 Millrace`;
    views[name].mount(element, app);
    if (currentView !== null) {
      content.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    currentView = name;
    drawTabs();
  }
  views[name].route?.(rest, parameters);
}

function drawTabs() {
  const badge = html`<span class="badge">${raisedAlerts}<span class="unseen"> raised alerts</span></span>`;
  render(
    Object.entries(views)
      .filter(([, view]) => view)
      .map(
        ([name, view]) =>
          html`<a href="#${name}" aria-current=${name === currentView ? 'page' : nothing}
            >${view.title}${name === 'measures' && raisedAlerts ? badge : nothing}</a
          >`,
      ),
    byId('tabs'),
  );
}

function drawConnection() {
  const faulty = live.state === 'live' && faults(live.snapshot).length > 0;
  const [sign, label] = faulty ? FAULTY : STATES[live.state];
  const dataTime = live.snapshot ? time(live.snapshot.time) : null;
  const lost = live.state === 'disconnected' && dataTime;
  const element = byId('connection');
  element.className = `connection ${faulty ? 'faulty' : live.state}`;
  render(
    html`<span class="sign" aria-hidden="true">${sign}</span>${lost
        ? `Connection lost. Showing data of ${dataTime}. Reconnecting\u2026`
        : label}`,
    element,
  );
  element.title = dataTime ? `Data of ${dataTime}` : '';
}

/** Shows above every view which pipelines have failed, wait for their feed or reject records, and why. */
function drawFaults() {
  const faulty = faults(live.snapshot);
  const names = faulty.map(({ name }) => name).join(', ');
  if (names !== announcedFaults) {
    announcedFaults = names;
    app.announce(names ? `Faulty pipelines: ${names}` : 'No faulty pipelines');
  }
  byId('faults').hidden = faulty.length === 0;
  render(
    faulty.map(
      (pipeline) => html`<p class="problem">
        <a href="#flow/${encodeURIComponent(pipeline.name)}">${pipeline.name}</a> ${describeFault(pipeline)} ${restartButton(pipeline)}
      </p>`,
    ),
    byId('faults'),
  );
}

function drawTheme() {
  byId('theme').textContent = `Theme: ${document.documentElement.dataset.theme ?? 'auto'}`;
}

function switchTheme() {
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

/** Shows the signed-in user. The name is null without authentication. */
async function showUser() {
  const { name, role } = await getJson('/api/user');
  byId('user').hidden = !name;
  byId('sign-out').textContent = `Sign out ${name}`;
  byId('sign-out').title = `You have the role ${role}.`;
}

/** Adds the tab of the map if a map is configured. */
async function loadMap() {
  try {
    await getJson('/api/map');
  } catch {
    return;
  }
  views.map = await import('./views/map.js');
  drawTabs();
  route();
}

let snapshots = 0;
/** Reads the raised alerts with every fifth snapshot. */
async function countAlerts() {
  if (snapshots++ % 5 === 0) {
    const count = (await getJson('/api/alerts')).raised.length;
    if (count !== raisedAlerts) {
      raisedAlerts = count;
      app.announce(`Raised alerts: ${count}`);
      drawTabs();
    }
  }
}

byId('skip').addEventListener('click', (event) => {
  // The part of the address after # selects a view, so the browser must not follow the link.
  event.preventDefault();
  byId('content').focus();
});
byId('theme').addEventListener('click', switchTheme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => dispatchEvent(new Event('theme')));
addEventListener('hashchange', route);
live.addEventListener('state', drawConnection);
live.addEventListener('snapshot', drawConnection);
live.addEventListener('snapshot', drawFaults);
live.addEventListener('snapshot', () => countAlerts().catch(() => {}));
drawTheme();
drawConnection();
route();
live.start();
loadMap();
showUser().catch(() => {});
