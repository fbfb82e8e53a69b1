import { html, nothing } from 'lit-html';
import { getJson } from './api.js';
import { digits, percent, time } from './format.js';
import { Stream } from './stream.js';

const SHOWN = 50;

/** The alerts of a map's cells, newest first, and which of them stand. */
export class MapAlerts {
  #map;
  #cells;
  #handlers;
  #last = [];
  #error = null;
  #stream;

  /**
   * Listens until it is closed. A stream may miss an alert, so each that comes has all looked up.
   *
   * @param map what GET /api/map told
   * @param handlers raised(cell, event) for one that came; changed(); pick(cell)
   */
  constructor(map, cells, handlers) {
    this.#map = map;
    this.#cells = cells;
    this.#handlers = handlers;
    this.#stream = new Stream('/api/alerts/stream', {
      event: (event) => this.#come(event),
      state: (state) => state === 'live' && this.#load(),
    });
  }

  close() {
    this.#stream.stop();
  }

  /** How many stand. */
  get standing() {
    return this.#cells.all.filter(({ bad }) => bad).length;
  }

  #mine = ({ measure, alert, row }) => measure === this.#map.measure && alert === this.#map.alert && this.#cells.of(row);

  #come(event) {
    const cell = this.#mine(event);
    if (cell) {
      cell.bad = event.raised;
      if (event.raised) {
        this.#handlers.raised(cell, event);
      }
      this.#load();
    }
  }

  async #load() {
    try {
      const { raised, last } = await getJson('/api/alerts');
      const bad = new Set(raised.filter(this.#mine).map(({ row }) => this.#cells.of(row)));
      this.#cells.all.forEach((cell) => (cell.bad = bad.has(cell)));
      this.#last = last.filter(this.#mine).slice(0, SHOWN);
      this.#error = null;
    } catch (e) {
      this.#error = e.message;
    }
    this.#handlers.changed();
  }

  template() {
    return html`<section class="map-alerts" aria-labelledby="map-alerts-title">
      <h2 id="map-alerts-title">
        Alerts
        <span class="chip ${this.standing ? 'bad' : 'good'}">
          <span aria-hidden="true">${this.standing ? '\u25b2' : '\u2713'}</span>${this.standing ? `${this.standing} raised` : 'none raised'}
        </span>
      </h2>
      ${this.#error ? html`<p class="problem">${this.#error}</p>` : nothing}
      ${this.#last.length
        ? html`<ol class="scroll" tabindex="0" aria-label="Alerts, newest first">${this.#last.map((event) => this.#item(event))}</ol>`
        : html`<p class="note">None was raised since the start.</p>`}
    </section>`;
  }

  #item({ raised, at, row }) {
    const cell = this.#cells.of(row);
    const stands = raised && cell.bad;
    const show = asShare(this.#map) ? percent : digits;
    return html`<li class=${stands ? 'bad' : ''}>
      <button type="button" class="quiet" @click=${() => this.#handlers.pick(cell)}>
        <span class="sign" aria-hidden="true">${raised ? (stands ? '\u25b2' : '\u25b3') : '\u2713'}</span>
        <span class="what">${this.#map.key} ${cell.key}${cell.label ? html` <span class="note">${cell.label}</span>` : nothing}</span>
        <span class="how">${raised ? 'raised' : 'cleared'} at ${show(row[this.#map.colour])}</span>
        <time datetime=${at}>${time(at)}</time>
      </button>
    </li>`;
  }
}

/** Whether a map's colour is a part of a whole, which people read as percent. */
export const asShare = ({ low, high }) => low >= 0 && high <= 1;
