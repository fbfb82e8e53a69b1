import { getExact, parseExact } from './api.js';
import { Stream } from './stream.js';

const WINDOWS_MAX = 60;
const ROWS_MAX = 10_000;
/** Minimum time between two received windows. It limits the load on the service. */
const INTERVAL_MILLIS = 500;
/** Maximum number of rows of all windows together. */
const ROWS_TOTAL_MAX = 20_000;

/** The state of a measure: its counts, the open window, and the closed windows, newest first. */
export class MeasureWindows {
  /** The latest response of GET /api/measures/NAME, null before the first. */
  status = null;
  windows = [];
  error = null;
  #path;
  #onChange;
  #stream;
  #closed = false;

  /**
   * Loads the measure and listens to its windows until {@link close}.
   *
   * @param name name of the measure
   * @param onChange called when the state has changed
   */
  constructor(name, onChange) {
    this.#path = `/api/measures/${encodeURIComponent(name)}`;
    this.#onChange = () => this.#closed || onChange();
    this.#stream = new Stream(`${this.#path}/stream?limit=${ROWS_MAX}&interval=${INTERVAL_MILLIS}`, {
      parse: parseExact,
      event: (window) => this.#add(window),
      state: (state) => state === 'live' && this.#load(),
    });
  }

  close() {
    this.#closed = true;
    this.#stream.stop();
  }

  /** Loads the counts and the open window. */
  refresh() {
    return this.#get(0);
  }

  /** Loads as many closed windows as the maximum number of rows permits. */
  async #load() {
    const open = await this.#get(0);
    const windows = Math.floor(ROWS_TOTAL_MAX / Math.max(1, open?.current?.groups ?? 1));
    const history = await this.#get(Math.max(1, Math.min(WINDOWS_MAX, windows)));
    this.windows = history?.windows ?? [];
    this.#onChange();
  }

  async #get(windows) {
    try {
      this.status = await getExact(`${this.#path}?windows=${windows}&limit=${ROWS_MAX}`);
      this.error = null;
    } catch (e) {
      this.error = e.message;
      return null;
    } finally {
      this.#onChange();
    }
    return this.status;
  }

  #add(window) {
    if (this.windows.some(({ end }) => end === window.end)) {
      return;
    }
    let rows = 0;
    this.windows = [window, ...this.windows].filter(({ rows: windowRows }, i) => {
      rows += windowRows.length;
      return i === 0 || (i < WINDOWS_MAX && rows <= ROWS_TOTAL_MAX);
    });
    this.#onChange();
  }
}
