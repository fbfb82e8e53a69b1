import { html, nothing } from 'lit-html';
import { getJson, putJson } from './api.js';
import { count } from './format.js';

/** Records a second; 0 for as many as are taken. */
const RATES = [250, 1_000, 5_000, 10_000, 35_000, 100_000, 0];

/** How fast a pipeline's feed brings its records, where that can be set. */
export class Play {
  #path;
  #changed;
  #play = null;
  #error = null;

  /** @param changed called when it is to be drawn again */
  constructor(pipeline, changed) {
    this.#path = `/api/pipelines/${encodeURIComponent(pipeline)}/replay`;
    this.#changed = changed;
    this.refresh();
  }

  /** Others may change it too. */
  refresh() {
    this.#take(getJson(this.#path));
  }

  get paused() {
    return this.#play?.paused ?? false;
  }

  async #take(answer) {
    try {
      this.#play = await answer;
      this.#error = null;
    } catch (e) {
      this.#error = e.message;
    }
    this.#changed();
  }

  template() {
    if (this.#error) {
      return html`<p class="problem">${this.#error}</p>`;
    }
    if (!this.#play?.settable) {
      return nothing;
    }
    const { rate, paused } = this.#play;
    const rates = [...new Set([...RATES, rate])].sort((a, b) => (a || Infinity) - (b || Infinity));
    const set = (change) => this.#take(putJson(this.#path, { rate, paused, ...change }));
    return html`<div class="play" role="group" aria-label="Speed of the feed">
      <button type="button" class="pause" aria-pressed=${paused} @click=${() => set({ paused: !paused })}>
        <span aria-hidden="true">${paused ? '\u25b6' : '\u2016'}</span> ${paused ? 'Play' : 'Pause'}
      </button>
      <label>
        <span class="unseen">Events a second</span>
        <select @change=${(event) => set({ rate: Number(event.target.value) })}>
          ${rates.map((of) => html`<option value=${of} .selected=${of === rate}>${of ? `${count(of)} events/s` : 'as fast as it goes'}</option>`)}
        </select>
      </label>
    </div>`;
  }
}
