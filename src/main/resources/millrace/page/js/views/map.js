import { html, nothing, render } from 'lit-html';
import { getJson, isNumber } from '../api.js';
import { Camera } from '../camera.js';
import { Cells } from '../cells.js';
import { count, day, digits, grouped, percent, time } from '../format.js';
import { MapAlerts, asShare } from '../mapalerts.js';
import { MapCanvas } from '../mapcanvas.js';
import { Play } from '../play.js';
import { Stream } from '../stream.js';
import { SortedTable } from '../table.js';

/** What a measure tells of places, on a map: as each window closes, or twice a second where they close faster. */
export const title = 'Map';

const ROWS_MAX = 10_000;
const INTERVAL_MILLIS = 500;
const TABLE_ROWS = 20;
/** Over which time the pace of the events' clock is told. */
const PACE_MILLIS = 4000;
const PULSE_MILLIS = 4000;

let root;
let app;
/** What is there between mount and unmount, once it is known what the map shows. */
let shown = null;
let error = null;

export function mount(element, ofApp) {
  root = element;
  app = ofApp;
  error = null;
  load(element);
}

export function unmount() {
  shown?.close();
  shown = null;
}

async function load(element) {
  try {
    const map = await getJson('/api/map');
    const outline = map.outline && (await getJson(map.outline));
    if (element === root && element.isConnected) {
      shown = new Shown(map, outline);
    }
  } catch (e) {
    error = e.message;
    render(html`<p class="problem">${error}</p>`, element);
  }
}

class Shown {
  #map;
  #cells;
  #canvas = null;
  #alerts;
  #play;
  #stream;
  #table;
  /** When windows came, and how far the events' clock was then: the pace is what lies between. */
  #came = [];
  #hovered = null;
  #pulses = new Set();
  #state = 'connecting';
  #error = null;
  #ticking;

  constructor(map, outline) {
    const latitudes = map.places.map(({ latitude }) => latitude);
    const camera = new Camera(latitudes.length ? latitudes.reduce((a, b) => a + b) / latitudes.length : 0);
    this.#map = map;
    this.#cells = new Cells(map, (longitude, latitude) => camera.place(longitude, latitude));
    this.#table = new SortedTable(() => this.#draw(), map.size);
    const changed = () => this.#draw();
    this.#play = new Play(map.pipeline, changed);
    const pick = (cell) => this.#pick(cell);
    this.#alerts = new MapAlerts(map, this.#cells, { changed, pick, raised: (cell, event) => this.#raised(cell, event) });
    this.#draw();
    this.#canvas = new MapCanvas(root.querySelector('#map'), this.#cells, camera, outline, {
      hover: (cell, x, y) => this.#hover(cell, x, y),
      select: (cell) => this.#told(cell),
      moved: () => this.#place(),
    });
    const measure = `/api/measures/${encodeURIComponent(map.measure)}`;
    this.#stream = new Stream(`${measure}/stream?limit=${ROWS_MAX}&interval=${INTERVAL_MILLIS}`, {
      event: (window) => this.#take(window),
      state: (state) => this.#become(state, measure),
    });
    this.#ticking = setInterval(() => this.#tick(), 1000);
  }

  close() {
    clearInterval(this.#ticking);
    this.#stream.stop();
    this.#alerts.close();
    this.#canvas.close();
  }

  /** The pace ends without an event that would say so. */
  #tick() {
    if (!document.hidden) {
      this.#play.refresh();
      this.#draw();
    }
  }

  #become(state, measure) {
    this.#state = state;
    if (state === 'live') {
      this.#last(measure);
    }
    this.#draw();
  }

  /** The window that was closed last: the next may be a while in coming, or never come. */
  async #last(measure) {
    try {
      const { windows } = await getJson(`${measure}?windows=1&limit=${ROWS_MAX}`);
      windows.forEach((window) => this.#cells.take(window));
      this.#error = null;
    } catch (e) {
      this.#error = e.message;
    }
    this.#draw();
  }

  #take(window) {
    if (this.#cells.take(window)) {
      this.#came.push({ wall: performance.now(), event: Date.parse(window.end) });
      this.#draw();
    }
  }

  /** Seconds of the events in one of the watcher's; null where no window has come of late. */
  #pace() {
    const now = performance.now();
    this.#came = this.#came.filter(({ wall }) => now - wall < PACE_MILLIS);
    const [first, last] = [this.#came[0], this.#came.at(-1)];
    return !first || first === last ? null : (last.event - first.event) / (last.wall - first.wall);
  }

  #raised(cell, event) {
    app.announce(`Alert raised: ${this.#name(cell)}, ${this.#map.colour} ${this.#colour(event.row[this.#map.colour])}`);
    this.#pulses.add(cell);
    setTimeout(() => {
      this.#pulses.delete(cell);
      this.#draw();
    }, PULSE_MILLIS);
    this.#draw();
  }

  #pick(cell) {
    this.#canvas.select(cell);
    this.#told(cell);
  }

  #told(cell) {
    if (cell) {
      app.announce(`${this.#name(cell)}: ${this.#figures(cell).map(([name, text]) => `${name} ${text}`).join(', ')}`);
    }
    this.#draw();
  }

  #hover(cell, x, y) {
    this.#hovered = cell && { cell, x, y };
    this.#draw();
  }

  #draw() {
    if (root.isConnected) {
      render(this.#template(), root);
      this.#canvas?.draw();
      this.#place();
    }
  }

  /** Puts what lies above the canvas where it belongs; a style in the text of the page is nothing that its policy allows. */
  #place() {
    const tip = root.querySelector('.map-tip');
    if (tip && this.#hovered) {
      const { x, y } = this.#hovered;
      const wide = root.querySelector('#map').clientWidth;
      tip.style.left = `${Math.max(4, Math.min(x + 14, wide - tip.offsetWidth - 4))}px`;
      tip.style.top = `${y + 16}px`;
    }
    const pulses = [...this.#pulses];
    root.querySelectorAll('.pulse').forEach((element, i) => {
      const [x, y] = this.#canvas.pixel(pulses[i]);
      element.style.left = `${x}px`;
      element.style.top = `${y}px`;
    });
  }

  #colour(value) {
    return (asShare(this.#map) ? percent : digits)(value);
  }

  #name(cell) {
    return `${this.#map.key} ${cell.key}${cell.label ? `, ${cell.label}` : ''}`;
  }

  /** Whether a field of a row is its window's or its key, and tells nothing of the cell. */
  #plumbing(name) {
    return name === 'start' || name === 'end' || name === 'others' || name === this.#map.key;
  }

  /** Names and texts of what the last window tells of a cell. */
  #figures(cell) {
    if (!cell.row) {
      return [[this.#map.size, 'none in this window']];
    }
    return Object.entries(cell.row)
      .filter(([name]) => !this.#plumbing(name))
      .map(([name, value]) => [name, name === this.#map.colour ? this.#colour(value) : plain(value)]);
  }

  #template() {
    const { title: name, places } = this.#map;
    const { all, window } = this.#cells;
    return html`
      <div class="map-head">
        <h1>${name}</h1>
        ${this.#clock()} ${this.#play.template()}
      </div>
      ${this.#error ? html`<p class="problem">${this.#error}</p>` : nothing}
      ${this.#state === 'cut' ? html`<p class="problem" role="status">Cut off: these figures are old. Trying again\u2026</p>` : nothing}
      <div class="map-body">
        <figure class="map-frame" data-cells=${all.filter(({ row }) => row).length} data-bad=${this.#alerts.standing} data-end=${window?.end ?? nothing}>
          <canvas id="map" tabindex="0" role="application" aria-label="Map of ${name}" aria-describedby="map-keys"></canvas>
          ${[...this.#pulses].map(() => html`<span class="pulse" aria-hidden="true"></span>`)}
          ${this.#hovered ? html`<div class="map-tip" aria-hidden="true">${this.#card(this.#hovered.cell)}</div>` : nothing}
          <div class="map-zoom" role="group" aria-label="Zoom">
            <button type="button" aria-label="Zoom in" @click=${() => this.#canvas.zoom(1.6)}>+</button>
            <button type="button" aria-label="Zoom out" @click=${() => this.#canvas.zoom(1 / 1.6)}>\u2212</button>
            <button type="button" aria-label="Show all" @click=${() => this.#canvas.fit()}>\u2922</button>
          </div>
          ${window ? nothing : html`<p class="map-waiting">${count(places.length)} places; waiting for the first window\u2026</p>`}
        </figure>
        <div class="map-side">
          ${this.#legend()}
          <section aria-labelledby="map-cell-title">
            <h2 id="map-cell-title">${this.#canvas?.selected ? this.#name(this.#canvas.selected) : `One ${this.#map.key}`}</h2>
            ${this.#canvas?.selected
              ? this.#list(this.#canvas.selected)
              : html`<p class="note">Point at a circle, or choose one, for its figures.</p>`}
          </section>
          ${this.#map.alert ? this.#alerts.template() : nothing}
        </div>
      </div>
      <p class="note map-keys" id="map-keys">
        Drag, pinch or scroll to move and zoom. Keys: arrows move, <kbd>+</kbd> <kbd>\u2212</kbd> zoom, <kbd>0</kbd> shows all,
        <kbd>Shift</kbd> and an arrow go from one ${this.#map.key} to the next, <kbd>Esc</kbd> leaves it.
      </p>
      ${this.#rows()}
    `;
  }

  #clock() {
    const end = this.#cells.window?.end;
    const pace = this.#pace();
    const words = this.#play.paused ? 'paused' : pace === null ? '\u2013' : `\u00d7 ${digits(pace)}`;
    return html`<dl class="map-clock">
      <div><dt>time of the events</dt><dd><strong>${time(end)}</strong> ${end ? day(end) : nothing}</dd></div>
      <div><dt>pace</dt><dd title="seconds of the events in a second">${words}</dd></div>
    </dl>`;
  }

  #legend() {
    const { low, high, size, colour, alert } = this.#map;
    return html`<section class="map-legend" aria-label="Legend">
      <div>
        <p class="label">colour: ${colour}</p>
        <div class="ramp" aria-hidden="true"></div>
        <p class="ends"><span>${this.#colour(low)}</span><span>${this.#colour(high)} and more</span></p>
      </div>
      <div>
        <p class="label">area: ${size}</p>
        <p class="sizes"><span class="dot small" aria-hidden="true"></span>few <span class="dot large" aria-hidden="true"></span>${count(this.#cells.largest)} and more</p>
      </div>
      ${alert ? html`<p class="sizes"><span class="dot ring" aria-hidden="true">\u25b2</span>alert <code>${alert}</code> stands</p>` : nothing}
    </section>`;
  }

  #card(cell) {
    return html`<p><strong>${this.#map.key} ${cell.key}</strong> ${cell.label ?? ''}</p>
      ${cell.bad ? html`<p class="chip bad"><span aria-hidden="true">\u25b2</span>${this.#map.alert}</p>` : nothing} ${this.#list(cell)}`;
  }

  #list(cell) {
    return html`<dl class="figures">${this.#figures(cell).map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`;
  }

  /** The same for those who do not see the map. */
  #rows() {
    const { key, label, alert } = this.#map;
    const rows = this.#cells.all
      .filter(({ row }) => row)
      .map((cell) => ({
        [key]: cell.row[key],
        ...(label ? { [label]: cell.label } : {}),
        ...Object.fromEntries(Object.entries(cell.row).filter(([name]) => !this.#plumbing(name))),
        ...(alert ? { [alert]: cell.bad ? 'raised' : null } : {}),
      }));
    return html`<section class="section" aria-labelledby="map-table-title">
      <div class="head">
        <h2 id="map-table-title">As a table</h2>
        <span class="note">the first ${TABLE_ROWS} of ${count(rows.length)} by the column that is chosen</span>
      </div>
      <div class="card scroll" tabindex="0" role="group" aria-labelledby="map-table-title">
        ${rows.length
          ? this.#table.template(`${this.#map.title}, ${this.#map.measure}`, Object.keys(rows[0]), rows, {
              most: TABLE_ROWS,
              pick: (row) => this.#pick(this.#cells.of(row)),
              picked: (row) => this.#cells.of(row) === this.#canvas?.selected,
              show: plain,
            })
          : html`<p class="empty">No window was closed yet.</p>`}
      </div>
    </section>`;
  }
}

/** A number that is none of a whole has as many digits as anybody reads. */
const plain = (value) => (isNumber(value) && !Number.isInteger(value) ? digits(value) : grouped(value));
