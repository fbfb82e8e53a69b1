import { html, nothing } from 'lit-html';
import { getJson } from './api.js';
import { count, rounded, time } from './format.js';
import { Stream } from './stream.js';

const RECENT_MAX = 100;
const WINDOW_FIELDS = ['start', 'end', 'others'];

/** The raised alerts, and the latest alerts that were raised or cleared. Updates when an alert is received. */
export class AlertList {
  #alerts = { raised: [], last: [] };
  #error = null;
  #stream;
  #draw;

  /**
   * Listens to alerts until {@link close}.
   *
   * @param draw called when the list must be drawn again
   */
  constructor(draw) {
    this.#draw = draw;
    this.#stream = new Stream('/api/alerts/stream', {
      event: () => this.#load(),
      state: (state) => state === 'live' && this.#load(),
    });
  }

  close() {
    this.#stream.stop();
  }

  async #load() {
    try {
      this.#alerts = await getJson('/api/alerts');
      this.#error = null;
    } catch (e) {
      this.#error = e.message;
    }
    this.#draw();
  }

  template() {
    const { raised, last } = this.#alerts;
    return html`
      <section class="section" aria-labelledby="alerts-title">
        <div class="head">
          <h2 id="alerts-title">Alerts</h2>
          <span class="chip ${raised.length ? 'bad' : 'good'}">
            <span aria-hidden="true">${raised.length ? '\u25b2' : '\u2713'}</span>${raised.length ? `${count(raised.length)} raised` : 'none raised'}
          </span>
        </div>
        ${this.#error ? html`<p class="problem">${this.#error}</p>` : nothing}
        ${last.length === 0 && raised.length === 0
          ? html`<p class="empty">No alerts since startup.</p>`
          : html`<div class="card scroll alerts" tabindex="0" role="group" aria-labelledby="alerts-title">${table(raised, last)}</div>`}
      </section>
    `;
  }
}

/** Lists raised alerts first, then the other recent ones. */
function table(raised, last) {
  const raisedIds = new Set(raised.map(alertId));
  const recent = last.filter((event) => !(event.raised && raisedIds.has(alertId(event))));
  return html`<table>
    <thead>
      <tr>
        <th scope="col">state</th><th scope="col">alert</th><th scope="col">at</th><th scope="col">since</th><th scope="col">group and values</th>
      </tr>
    </thead>
    <tbody>
      ${raised.map((event) => row(event, '\u25b2', 'raised', 'bad'))}
      ${recent.slice(0, RECENT_MAX).map((event) => (event.raised ? row(event, '\u25b3', 'was raised', '') : row(event, '\u2713', 'cleared', 'good')))}
    </tbody>
  </table>`;
}

const alertId = ({ measure, alert, at, row: group }) => JSON.stringify([measure, alert, at, group]);

function row({ measure, alert, at, since, row: group }, sign, state, kind) {
  const values = Object.entries(group).filter(([name]) => !WINDOW_FIELDS.includes(name));
  return html`<tr>
    <td><span class="chip ${kind}"><span aria-hidden="true">${sign}</span>${state}</span></td>
    <th scope="row">${alert} <span class="note">of ${measure}</span></th>
    <td>${time(at)}</td>
    <td>${time(since)}</td>
    <td class="row">${values.map(([name, value]) => html`<span><span class="note">${name}</span> ${rounded(value)}</span>`)}</td>
  </tr>`;
}
