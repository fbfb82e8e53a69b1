import { html, nothing } from 'lit-html';
import { isNumber, parseExact } from './api.js';
import { countOf, time, value } from './format.js';
import { HexView } from './hexview.js';
import { Stream } from './stream.js';

const SAMPLES_MAX = 12;
/** Up to ten records a second are received. The table changes once a second, so that it is readable. */
const DRAW_MILLIS = 1000;

/** A tap on a point of a pipeline: shows the latest sampled records, and the bytes of one of them. */
export class Tap {
  #stream;
  #state = 'connecting';
  #samples = [];
  #paused = false;
  #selected = null;
  #drawTimer = null;
  #hex;
  #draw;

  /**
   * Listens to the tap until {@link close}.
   *
   * @param path path of the event stream
   * @param draw called when the tap must be drawn again
   */
  constructor(path, draw) {
    this.#draw = draw;
    this.#hex = new HexView(draw);
    this.#stream = new Stream(path, {
      parse: parseExact,
      event: (sample) => this.#receive(sample),
      state: (state) => {
        this.#state = state;
        this.#draw();
      },
    });
  }

  close() {
    this.#stream.stop();
    clearTimeout(this.#drawTimer);
  }

  #receive(sample) {
    if (this.#paused) {
      return;
    }
    this.#samples = [sample, ...this.#samples].slice(0, SAMPLES_MAX);
    if (!this.#selected) {
      this.#select(sample);
    }
    this.#drawTimer ??= setTimeout(() => {
      this.#drawTimer = null;
      this.#draw();
    }, DRAW_MILLIS);
  }

  #select(sample) {
    this.#selected = sample;
    this.#hex.show(sample);
    this.#draw();
  }

  #togglePaused() {
    this.#paused = !this.#paused;
    this.#draw();
  }

  template() {
    const samples = this.#samples;
    return html`
      <div class="tap-head">
        <h3>Tap</h3>
        <span class="note">${this.#statusText()}</span>
        <button type="button" aria-pressed=${this.#paused} @click=${() => this.#togglePaused()} ?disabled=${samples.length === 0}>
          ${this.#paused ? 'Resume' : 'Pause'}
        </button>
      </div>
      ${samples.length ? this.#table(samples) : nothing} ${this.#hex.template()}
    `;
  }

  #statusText() {
    if (this.#paused) {
      return 'Paused. New records are not shown.';
    }
    if (this.#state === 'disconnected') {
      return 'Connection lost. Reconnecting\u2026';
    }
    return this.#samples.length ? 'Sample of the records that pass this point, at most 10 per second' : 'Waiting for records\u2026';
  }

  #table(samples) {
    const rows = this.#selected && !samples.includes(this.#selected) ? [this.#selected, ...samples] : samples;
    const names = Object.keys(rows[0].record).filter((name) => rows.some(({ record }) => record[name] !== null));
    const hidden = Object.keys(rows[0].record).length - names.length;
    return html`
      <div class="scroll samples" tabindex="0" role="group" aria-label="Sampled records">
        <table>
          <thead>
            <tr><th scope="col">time</th>${names.map((name) => html`<th scope="col" class=${align(rows, name)}>${name}</th>`)}</tr>
          </thead>
          <tbody>
            ${rows.map(
              (sample) => html`<tr class=${sample === this.#selected ? 'selected' : ''}>
                <th scope="row">
                  <button type="button" class="quiet" aria-pressed=${sample === this.#selected} @click=${() => this.#select(sample)}>
                    ${time(sample.time)}<span class="unseen">, show its bytes</span>
                  </button>
                </th>
                ${names.map((name) => html`<td class=${align(rows, name)}>${value(sample.record[name])}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${hidden ? html`<p class="note">Hidden: ${countOf(hidden, 'field')} without a value in these records.</p>` : nothing}
    `;
  }
}

const align = (rows, name) => (rows.some(({ record }) => isNumber(record[name])) ? 'num' : '');
