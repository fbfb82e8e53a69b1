import { html, nothing } from 'lit-html';
import { getJson, putJson } from './api.js';
import { count } from './format.js';

/** Records per second; 0 for no limit. */
const RATES = [250, 1_000, 5_000, 10_000, 35_000, 100_000, 0];

/** The controls for pause and rate of a pipeline's feed, if the feed supports them. */
export class Replay {
  #path;
  #onChange;
  #state = null;
  #error = null;

  /** @param onChange called when the controls must be drawn again */
  constructor(pipeline, onChange) {
    this.#path = `/api/pipelines/${encodeURIComponent(pipeline)}/replay`;
    this.#onChange = onChange;
    this.refresh();
  }

  /** Reads the state again, because other clients may change it. */
  refresh() {
    this.#update(getJson(this.#path));
  }

  get paused() {
    return this.#state?.paused ?? false;
  }

  async #update(response) {
    try {
      this.#state = await response;
      this.#error = null;
    } catch (e) {
      this.#error = e.message;
    }
    this.#onChange();
  }

  template() {
    if (this.#error) {
      return html`<p class="problem">${this.#error}</p>`;
    }
    if (!this.#state?.settable) {
      return nothing;
    }
    const { rate, paused } = this.#state;
    const rates = [...new Set([...RATES, rate])].sort((a, b) => (a || Infinity) - (b || Infinity));
    const set = (change) => this.#update(putJson(this.#path, { rate, paused, ...change }));
    return html`<div class="replay" role="group" aria-label="Rate of the feed">
      <button type="button" class="pause" aria-pressed=${paused} @click=${() => set({ paused: !paused })}>
        <span aria-hidden="true">${paused ? '\u25b6' : '\u2016'}</span> ${paused ? 'Resume' : 'Pause'}
      </button>
      <label>
        <span class="unseen">Events per second</span>
        <select @change=${(event) => set({ rate: Number(event.target.value) })}>
          ${rates.map((option) => html`<option value=${option} .selected=${option === rate}>${option ? `${count(option)} events/s` : 'Unlimited'}</option>`)}
        </select>
      </label>
    </div>`;
  }
}
