import { getExact, parseExact } from './api.js';
import { Stream } from './stream.js';

const WINDOWS_MAX = 60;
const ROWS_MAX = 10_000;
/** Of windows that close faster than this the latest are shown: nobody reads more, and each costs the service some work. */
const INTERVAL_MILLIS = 500;
/** Of all windows together. */
const ROWS_KEPT = 20_000;

/** A measure as it goes on: what is known of it, the window that is open, and those that were closed, newest first. */
export class MeasureWindows {
  /** What GET tells of it; null before it came. */
  about = null;
  windows = [];
  error = null;
  #path;
  #changed;
  #stream;
  #gone = false;

  /**
   * Loads and listens until it is closed.
   *
   * @param name of the measure
   * @param changed called when there is something new
   */
  constructor(name, changed) {
    this.#path = `/api/measures/${encodeURIComponent(name)}`;
    this.#changed = () => this.#gone || changed();
    this.#stream = new Stream(`${this.#path}/stream?limit=${ROWS_MAX}&interval=${INTERVAL_MILLIS}`, {
      parse: parseExact,
      event: (window) => this.#add(window),
      state: (state) => state === 'live' && this.#load(),
    });
  }

  close() {
    this.#gone = true;
    this.#stream.stop();
  }

  /** Figures of the measure itself, and its open window. */
  refresh() {
    return this.#get(0);
  }

  /** As many closed windows as may be, which depends on how many rows one has. */
  async #load() {
    const open = await this.#get(0);
    const windows = Math.floor(ROWS_KEPT / Math.max(1, open?.current?.groups ?? 1));
    const found = await this.#get(Math.max(1, Math.min(WINDOWS_MAX, windows)));
    this.windows = found?.windows ?? [];
    this.#changed();
  }

  async #get(windows) {
    try {
      this.about = await getExact(`${this.#path}?windows=${windows}&limit=${ROWS_MAX}`);
      this.error = null;
    } catch (e) {
      this.error = e.message;
      return null;
    } finally {
      this.#changed();
    }
    return this.about;
  }

  #add(window) {
    if (this.windows.some(({ end }) => end === window.end)) {
      return;
    }
    let rows = 0;
    this.windows = [window, ...this.windows].filter((of, i) => {
      rows += of.rows.length;
      return i === 0 || (i < WINDOWS_MAX && rows <= ROWS_KEPT);
    });
    this.#changed();
  }
}
