import { html, nothing } from 'lit-html';
import { getJson } from './api.js';
import { count, figure, time } from './format.js';
import { Stream } from './stream.js';

const SHOWN = 100;
const WINDOW_FIELDS = ['start', 'end', 'others'];

/** Alerts that stand, and the last that were raised or cleared, as they come. */
export class AlertList {
  #alerts = { raised: [], last: [] };
  #error = null;
  #stream;
  #draw;

  /** Listens until it is closed. @param draw called when there is something new to see */
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
          ? html`<p class="empty">None was raised since the start.</p>`
          : html`<div class="card scroll alerts" tabindex="0" role="group" aria-labelledby="alerts-title">${table(raised, last)}</div>`}
      </section>
    `;
  }
}

/** First those that stand, then the others of the last. */
function table(raised, last) {
  const standing = new Set(raised.map(identity));
  const rest = last.filter((event) => !(event.raised && standing.has(identity(event))));
  return html`<table>
    <thead>
      <tr>
        <th scope="col">state</th><th scope="col">alert</th><th scope="col">at</th><th scope="col">since</th><th scope="col">group and figures</th>
      </tr>
    </thead>
    <tbody>
      ${raised.map((event) => row(event, '\u25b2', 'raised', 'bad'))}
      ${rest.slice(0, SHOWN).map((event) => (event.raised ? row(event, '\u25b3', 'was raised', '') : row(event, '\u2713', 'cleared', 'good')))}
    </tbody>
  </table>`;
}

const identity = ({ measure, alert, at, row: of }) => JSON.stringify([measure, alert, at, of]);

function row({ measure, alert, at, since, row: of }, sign, words, kind) {
  const figures = Object.entries(of).filter(([name]) => !WINDOW_FIELDS.includes(name));
  return html`<tr>
    <td><span class="chip ${kind}"><span aria-hidden="true">${sign}</span>${words}</span></td>
    <th scope="row">${alert} <span class="note">of ${measure}</span></th>
    <td>${time(at)}</td>
    <td>${time(since)}</td>
    <td class="row">${figures.map(([name, of]) => html`<span><span class="note">${name}</span> ${figure(of)}</span>`)}</td>
  </tr>`;
}
