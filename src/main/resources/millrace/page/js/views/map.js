import { html, nothing, render } from 'lit-html';
import { getJson, isNumber } from '../api.js';
import { Camera } from '../camera.js';
import { Cells } from '../cells.js';
import { count, countOf, day, digits, grouped, percent, time } from '../format.js';
import { MapAlerts, asShare } from '../mapalerts.js';
import { MapCanvas } from '../mapcanvas.js';
import { Replay } from '../replay.js';
import { Stream } from '../stream.js';
import { SortedTable } from '../table.js';

/** The values of a measure on a map. Shows each window when it closes, at most two windows a second. */
export const title = 'Map';

const ROWS_MAX = 10_000;
const INTERVAL_MILLIS = 500;
const TABLE_ROWS = 20;
/** Period over which the speed of the event time is computed. */
const SPEED_MILLIS = 4000;
const PULSE_MILLIS = 4000;

let root;
let app;
/** The map between mount and unmount, null until GET /api/map has returned. */
let mapView = null;
let error = null;

export function mount(element, shell) {
  root = element;
  app = shell;
  error = null;
  load(element);
}

export function unmount() {
  mapView?.close();
  mapView = null;
}

async function load(element) {
  try {
    const map = await getJson('/api/map');
    const outline = map.outline && (await getJson(map.outline));
    if (element === root && element.isConnected) {
      mapView = new MapView(map, outline);
    }
  } catch (e) {
    error = e.message;
    render(html`<p class="problem">${error}</p>`, element);
  }
}

class MapView {
  #map;
  #cells;
  #canvas = null;
  #alerts;
  #replay;
  #stream;
  #table;
  /** Wall time and event time of the latest windows, to compute the speed. */
  #arrivals = [];
  #hovered = null;
  #pulses = new Set();
  #state = 'connecting';
  #error = null;
  #refreshTimer;

  constructor(map, outline) {
    const latitudes = map.places.map(({ latitude }) => latitude);
    const camera = new Camera(latitudes.length ? latitudes.reduce((a, b) => a + b) / latitudes.length : 0);
    this.#map = map;
    this.#cells = new Cells(map, (longitude, latitude) => camera.project(longitude, latitude));
    this.#table = new SortedTable(() => this.#draw(), map.size);
    const draw = () => this.#draw();
    this.#replay = new Replay(map.pipeline, draw);
    this.#alerts = new MapAlerts(map, this.#cells, {
      changed: draw,
      select: (cell) => this.#select(cell),
      raised: (cell, event) => this.#alertRaised(cell, event),
    });
    this.#draw();
    this.#canvas = new MapCanvas(root.querySelector('#map'), this.#cells, camera, outline, {
      hover: (cell, x, y) => this.#hover(cell, x, y),
      select: (cell) => this.#announce(cell),
      moved: () => this.#positionOverlays(),
    });
    const measure = `/api/measures/${encodeURIComponent(map.measure)}`;
    this.#stream = new Stream(`${measure}/stream?limit=${ROWS_MAX}&interval=${INTERVAL_MILLIS}`, {
      event: (window) => this.#receive(window),
      state: (state) => this.#setState(state, measure),
    });
    this.#refreshTimer = setInterval(() => this.#refresh(), 1000);
  }

  close() {
    clearInterval(this.#refreshTimer);
    this.#stream.stop();
    this.#alerts.close();
    this.#canvas.close();
  }

  /** Draws once a second: the speed becomes unknown without an event. */
  #refresh() {
    if (!document.hidden) {
      this.#replay.refresh();
      this.#draw();
    }
  }

  #setState(state, measure) {
    this.#state = state;
    if (state === 'live') {
      this.#loadLastWindow(measure);
    }
    this.#draw();
  }

  /** Loads the last closed window, because the next one may close late or never. */
  async #loadLastWindow(measure) {
    try {
      const { windows } = await getJson(`${measure}?windows=1&limit=${ROWS_MAX}`);
      windows.forEach((window) => this.#cells.update(window));
      this.#error = null;
    } catch (e) {
      this.#error = e.message;
    }
    this.#draw();
  }

  #receive(window) {
    if (this.#cells.update(window)) {
      this.#arrivals.push({ wall: performance.now(), event: Date.parse(window.end) });
      this.#draw();
    }
  }

  /** Returns the seconds of event time per second, null without recent windows. */
  #speed() {
    const now = performance.now();
    this.#arrivals = this.#arrivals.filter(({ wall }) => now - wall < SPEED_MILLIS);
    const [first, last] = [this.#arrivals[0], this.#arrivals.at(-1)];
    return !first || first === last ? null : (last.event - first.event) / (last.wall - first.wall);
  }

  #alertRaised(cell, event) {
    app.announce(`Alert raised: ${this.#name(cell)}, ${this.#map.colour} ${this.#formatColour(event.row[this.#map.colour])}`);
    this.#pulses.add(cell);
    setTimeout(() => {
      this.#pulses.delete(cell);
      this.#draw();
    }, PULSE_MILLIS);
    this.#draw();
  }

  #select(cell) {
    this.#canvas.select(cell);
    this.#announce(cell);
  }

  #announce(cell) {
    if (cell) {
      app.announce(`${this.#name(cell)}: ${this.#values(cell).map(([name, text]) => `${name} ${text}`).join(', ')}`);
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
      this.#positionOverlays();
    }
  }

  /** Positions the elements above the canvas. The Content-Security-Policy permits no style attributes in the markup. */
  #positionOverlays() {
    const tip = root.querySelector('.map-tip');
    if (tip && this.#hovered) {
      const { x, y } = this.#hovered;
      const mapWidth = root.querySelector('#map').clientWidth;
      tip.style.left = `${Math.max(4, Math.min(x + 14, mapWidth - tip.offsetWidth - 4))}px`;
      tip.style.top = `${y + 16}px`;
    }
    const pulses = [...this.#pulses];
    root.querySelectorAll('.pulse').forEach((element, i) => {
      const [x, y] = this.#canvas.pixel(pulses[i]);
      element.style.left = `${x}px`;
      element.style.top = `${y}px`;
    });
  }

  #formatColour(value) {
    return (asShare(this.#map) ? percent : digits)(value);
  }

  #name(cell) {
    return `${this.#map.key} ${cell.key}${cell.label ? `, ${cell.label}` : ''}`;
  }

  /** Returns whether a field of a row is its key or describes its window. */
  #isWindowField(name) {
    return name === 'start' || name === 'end' || name === 'others' || name === this.#map.key;
  }

  /** Returns names and texts of a cell's values in the last window. */
  #values(cell) {
    if (!cell.row) {
      return [[this.#map.size, 'none in this window']];
    }
    return Object.entries(cell.row)
      .filter(([name]) => !this.#isWindowField(name))
      .map(([name, value]) => [name, name === this.#map.colour ? this.#formatColour(value) : plain(value)]);
  }

  #template() {
    const { title: name, places } = this.#map;
    const { all, window } = this.#cells;
    return html`
      <div class="map-head">
        <h1>${name}</h1>
        ${this.#clock()} ${this.#replay.template()}
      </div>
      ${this.#error ? html`<p class="problem">${this.#error}</p>` : nothing}
      ${this.#state === 'disconnected' ? html`<p class="problem" role="status">${this.#connectionLost()}</p>` : nothing}
      <div class="map-body">
        <figure class="map-frame" data-cells=${all.filter(({ row }) => row).length} data-raised=${this.#alerts.raised} data-end=${window?.end ?? nothing}>
          <canvas id="map" tabindex="0" role="application" aria-label="Map of ${name}" aria-describedby="map-keys"></canvas>
          ${[...this.#pulses].map(() => html`<span class="pulse" aria-hidden="true"></span>`)}
          ${this.#hovered ? html`<div class="map-tip" aria-hidden="true">${this.#card(this.#hovered.cell)}</div>` : nothing}
          <div class="map-zoom" role="group" aria-label="Zoom">
            <button type="button" aria-label="Zoom in" @click=${() => this.#canvas.zoom(1.6)}>+</button>
            <button type="button" aria-label="Zoom out" @click=${() => this.#canvas.zoom(1 / 1.6)}>\u2212</button>
            <button type="button" aria-label="Show all" @click=${() => this.#canvas.fit()}>\u2922</button>
          </div>
          ${window ? nothing : html`<p class="map-waiting">${countOf(places.length, 'place')}. Waiting for the first window\u2026</p>`}
        </figure>
        <div class="map-side">
          ${this.#legend()}
          <section aria-labelledby="map-cell-title">
            <h2 id="map-cell-title">${this.#canvas?.selected ? this.#name(this.#canvas.selected) : `No ${this.#map.key} selected`}</h2>
            ${this.#canvas?.selected
              ? this.#list(this.#canvas.selected)
              : html`<p class="note">Point at a circle or select one to see its values.</p>`}
          </section>
          ${this.#map.alert ? this.#alerts.template() : nothing}
        </div>
      </div>
      <p class="note map-keys" id="map-keys">
        Drag, pinch or scroll to move and zoom. Keys: arrows move, <kbd>+</kbd> <kbd>\u2212</kbd> zoom, <kbd>0</kbd> shows all,
        <kbd>Shift</kbd> and an arrow select the next ${this.#map.key}, <kbd>Esc</kbd> clears the selection.
      </p>
      ${this.#rows()}
    `;
  }

  #connectionLost() {
    const end = this.#cells.window?.end;
    return `Connection lost. ${end ? `Showing the window that ended at ${time(end)}. ` : ''}Reconnecting\u2026`;
  }

  #clock() {
    const end = this.#cells.window?.end;
    const speed = this.#speed();
    const text = this.#replay.paused ? 'Paused' : speed === null ? '\u2013' : `\u00d7 ${digits(speed)}`;
    return html`<dl class="map-clock">
      <div><dt>event time</dt><dd><strong>${time(end)}</strong> ${end ? day(end) : nothing}</dd></div>
      <div><dt>speed</dt><dd title="Seconds of event time per second">${text}</dd></div>
    </dl>`;
  }

  #legend() {
    const { low, high, size, colour, alert } = this.#map;
    return html`<section class="map-legend" aria-label="Legend">
      <div>
        <p class="label">colour: ${colour}</p>
        <div class="ramp" aria-hidden="true"></div>
        <p class="ends"><span>${this.#formatColour(low)}</span><span>${this.#formatColour(high)} or more</span></p>
      </div>
      <div>
        <p class="label">area: ${size}</p>
        <p class="sizes"><span class="dot small" aria-hidden="true"></span>few <span class="dot large" aria-hidden="true"></span>${count(this.#cells.largest)} or more</p>
      </div>
      ${alert ? html`<p class="sizes"><span class="dot ring" aria-hidden="true">\u25b2</span>alert <code>${alert}</code> is raised</p>` : nothing}
    </section>`;
  }

  #card(cell) {
    return html`<p><strong>${this.#map.key} ${cell.key}</strong> ${cell.label ?? ''}</p>
      ${cell.raised ? html`<p class="chip bad"><span aria-hidden="true">\u25b2</span>${this.#map.alert}</p>` : nothing} ${this.#list(cell)}`;
  }

  #list(cell) {
    return html`<dl class="cell-values">${this.#values(cell).map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`;
  }

  /** Returns the same values as a table, for screen readers. */
  #rows() {
    const { key, label, alert } = this.#map;
    const rows = this.#cells.all
      .filter(({ row }) => row)
      .map((cell) => ({
        [key]: cell.row[key],
        ...(label ? { [label]: cell.label } : {}),
        ...Object.fromEntries(Object.entries(cell.row).filter(([name]) => !this.#isWindowField(name))),
        ...(alert ? { [alert]: cell.raised ? 'raised' : null } : {}),
      }));
    return html`<section class="section" aria-labelledby="map-table-title">
      <div class="head">
        <h2 id="map-table-title">Table</h2>
        <span class="note">first ${TABLE_ROWS} of ${count(rows.length)}, sorted by the selected column</span>
      </div>
      <div class="card scroll" tabindex="0" role="group" aria-labelledby="map-table-title">
        ${rows.length
          ? this.#table.template(`${this.#map.title}, ${this.#map.measure}`, Object.keys(rows[0]), rows, {
              maxRows: TABLE_ROWS,
              onSelect: (row) => this.#select(this.#cells.of(row)),
              isSelected: (row) => this.#cells.of(row) === this.#canvas?.selected,
              format: plain,
            })
          : html`<p class="empty">No closed windows yet.</p>`}
      </div>
    </section>`;
  }
}

/** Formats a value; numbers that are not integers have three digits. */
const plain = (value) => (isNumber(value) && !Number.isInteger(value) ? digits(value) : grouped(value));
