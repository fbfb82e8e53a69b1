import { html, nothing } from 'lit-html';
import { isNumber, parseExact } from './api.js';
import { count, time, value } from './format.js';
import { HexView } from './hexview.js';
import { Stream } from './stream.js';

const KEPT = 12;
/** Records come up to ten times a second, which nobody can read. */
const DRAW_MILLIS = 1000;

/** Listens to the records that pass a point of a pipeline, and shows the last of them and the bytes of one. */
export class Tap {
  #stream;
  #state = 'connecting';
  #samples = [];
  #held = false;
  #chosen = null;
  #drawing = null;
  #hex;
  #draw;

  /**
   * Listens until it is closed.
   *
   * @param path of the tap's events
   * @param draw called when there is something new to see
   */
  constructor(path, draw) {
    this.#draw = draw;
    this.#hex = new HexView(draw);
    this.#stream = new Stream(path, {
      parse: parseExact,
      event: (sample) => this.#take(sample),
      state: (state) => {
        this.#state = state;
        this.#draw();
      },
    });
  }

  close() {
    this.#stream.stop();
    clearTimeout(this.#drawing);
  }

  #take(sample) {
    if (this.#held) {
      return;
    }
    this.#samples = [sample, ...this.#samples].slice(0, KEPT);
    if (!this.#chosen) {
      this.#choose(sample);
    }
    this.#drawing ??= setTimeout(() => {
      this.#drawing = null;
      this.#draw();
    }, DRAW_MILLIS);
  }

  #choose(sample) {
    this.#chosen = sample;
    this.#hex.show(sample);
    this.#draw();
  }

  #hold() {
    this.#held = !this.#held;
    this.#draw();
  }

  template() {
    const samples = this.#samples;
    return html`
      <div class="tap-head">
        <h3>Tap</h3>
        <span class="note">${this.#words()}</span>
        <button type="button" aria-pressed=${this.#held} @click=${() => this.#hold()} ?disabled=${samples.length === 0}>
          ${this.#held ? 'Go on' : 'Hold'}
        </button>
      </div>
      ${samples.length ? this.#table(samples) : nothing} ${this.#hex.template()}
    `;
  }

  #words() {
    if (this.#held) {
      return 'held: what passes now is not shown';
    }
    if (this.#state === 'cut') {
      return 'cut off, trying again';
    }
    return this.#samples.length ? 'a sample of the records that pass here, ten a second at most' : 'waiting for a record to pass here\u2026';
  }

  #table(samples) {
    const rows = this.#chosen && !samples.includes(this.#chosen) ? [this.#chosen, ...samples] : samples;
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
              (sample) => html`<tr class=${sample === this.#chosen ? 'chosen' : ''}>
                <th scope="row">
                  <button type="button" class="quiet" aria-pressed=${sample === this.#chosen} @click=${() => this.#choose(sample)}>
                    ${time(sample.time)}<span class="unseen">, show its bytes</span>
                  </button>
                </th>
                ${names.map((name) => html`<td class=${align(rows, name)}>${value(sample.record[name])}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${hidden ? html`<p class="note">${count(hidden)} fields that none of these records has are not shown.</p>` : nothing}
    `;
  }
}

const align = (rows, name) => (rows.some(({ record }) => isNumber(record[name])) ? 'num' : '');
