import { html, nothing } from 'lit-html';
import { getJson } from './api.js';
import { digits, percent, time } from './format.js';
import { Stream } from './stream.js';

const ALERTS_MAX = 50;

/** The alerts of a map's cells, newest first. Marks the cells whose alert is raised. */
export class MapAlerts {
  #map;
  #cells;
  #handlers;
  #last = [];
  #error = null;
  #stream;

  /**
   * Listens to alerts until {@link close}. A stream may miss alerts, so each received alert loads all of them.
   *
   * @param map response of GET /api/map
   * @param cells cells of the map
   * @param handlers raised(cell, event) is called for each received alert that is raised, changed() when the list has
   *     changed, select(cell) when an alert is selected
   */
  constructor(map, cells, handlers) {
    this.#map = map;
    this.#cells = cells;
    this.#handlers = handlers;
    this.#stream = new Stream('/api/alerts/stream', {
      event: (event) => this.#receive(event),
      state: (state) => state === 'live' && this.#load(),
    });
  }

  close() {
    this.#stream.stop();
  }

  /** Number of cells whose alert is raised. */
  get raised() {
    return this.#cells.all.filter(({ raised }) => raised).length;
  }

  /** Returns the cell of an event of the map's alert, a falsy value for other events. */
  #cellOf = ({ measure, alert, row }) => measure === this.#map.measure && alert === this.#map.alert && this.#cells.of(row);

  #receive(event) {
    const cell = this.#cellOf(event);
    if (cell) {
      cell.raised = event.raised;
      if (event.raised) {
        this.#handlers.raised(cell, event);
      }
      this.#load();
    }
  }

  async #load() {
    try {
      const { raised, last } = await getJson('/api/alerts');
      const raisedCells = new Set(raised.filter(this.#cellOf).map(({ row }) => this.#cells.of(row)));
      this.#cells.all.forEach((cell) => (cell.raised = raisedCells.has(cell)));
      this.#last = last.filter(this.#cellOf).slice(0, ALERTS_MAX);
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
        <span class="chip ${this.raised ? 'bad' : 'good'}">
          <span aria-hidden="true">${this.raised ? '\u25b2' : '\u2713'}</span>${this.raised ? `${this.raised} raised` : 'none raised'}
        </span>
      </h2>
      ${this.#error ? html`<p class="problem">${this.#error}</p>` : nothing}
      ${this.#last.length
        ? html`<ol class="scroll" tabindex="0" aria-label="Alerts, newest first">${this.#last.map((event) => this.#item(event))}</ol>`
        : html`<p class="note">No alerts since startup.</p>`}
    </section>`;
  }

  #item({ raised, at, row }) {
    const cell = this.#cells.of(row);
    const stillRaised = raised && cell.raised;
    const format = asShare(this.#map) ? percent : digits;
    return html`<li class=${stillRaised ? 'bad' : ''}>
      <button type="button" class="quiet" @click=${() => this.#handlers.select(cell)}>
        <span class="sign" aria-hidden="true">${raised ? (stillRaised ? '\u25b2' : '\u25b3') : '\u2713'}</span>
        <span class="place">${this.#map.key} ${cell.key}${cell.label ? html` <span class="note">${cell.label}</span>` : nothing}</span>
        <span class="change">${raised ? 'raised' : 'cleared'} at ${format(row[this.#map.colour])}</span>
        <time datetime=${at}>${time(at)}</time>
      </button>
    </li>`;
  }
}

/** Returns whether the colour of a map is a share from 0 to 1, which is shown as a percentage. */
export const asShare = ({ low, high }) => low >= 0 && high <= 1;
