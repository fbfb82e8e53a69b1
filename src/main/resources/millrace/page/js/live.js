import { getJson } from './api.js';
import { Stream } from './stream.js';

/** Time span of the history. */
export const HISTORY_MILLIS = 15 * 60 * 1000;
const STALE_MILLIS = 5000;

/**
 * The stream of snapshots, one a second, shared by all views. Events: "snapshot" for each received snapshot, "state"
 * when the state of the connection changes. The columns of the history have one entry a second, oldest first.
 */
export class Live extends EventTarget {
  /** One of connecting, live, stale (connected, but no snapshot for five seconds), disconnected, paused. */
  state = 'connecting';
  /** The latest snapshot, null before the first. */
  snapshot = null;
  /** The snapshot before it, to compute rates. */
  previous = null;
  history = { times: [], heapUsed: [], cpu: [], gc: [], pipelines: {} };
  #staleTimer = null;
  /** Snapshots received while the history is loaded; null at other times. */
  #pending = null;

  /** Connects until the page is closed. */
  start() {
    new Stream('/api/live', {
      event: (snapshot) => this.#receive(snapshot),
      state: (state) => {
        if (state === 'live') {
          this.#load();
        }
        this.#setState(state);
      },
    });
  }

  /**
   * Returns the rate per second of a counter between the last two snapshots; null if it is unknown.
   *
   * @param counter returns the counter of a snapshot
   */
  rate(counter) {
    if (!this.previous) {
      return null;
    }
    const seconds = (this.snapshot.time - this.previous.time) / 1000;
    const current = counter(this.snapshot);
    const previous = counter(this.previous);
    const unknown = seconds <= 0 || current === undefined || previous === undefined;
    return unknown ? null : Math.max(0, (current - previous) / seconds);
  }

  /** Loads the history and appends the snapshots that are received meanwhile. */
  async #load() {
    this.#pending = [];
    try {
      this.history = await getJson('/api/live/history');
    } catch {
      // The current snapshot is shown without a history.
    }
    const pending = this.#pending;
    this.#pending = null;
    pending.forEach((snapshot) => this.#append(snapshot));
    if (this.snapshot) {
      this.dispatchEvent(new Event('snapshot'));
    }
  }

  #receive(snapshot) {
    this.previous = this.snapshot && snapshot.time > this.snapshot.time ? this.snapshot : this.previous;
    this.snapshot = snapshot;
    this.#setState('live');
    clearTimeout(this.#staleTimer);
    this.#staleTimer = setTimeout(() => this.state === 'live' && this.#setState('stale'), STALE_MILLIS);
    if (this.#pending) {
      this.#pending.push(snapshot);
    } else {
      this.#append(snapshot);
    }
    this.dispatchEvent(new Event('snapshot'));
  }

  #append(snapshot) {
    const history = this.history;
    const length = history.times.length;
    if (length && snapshot.time <= history.times[length - 1]) {
      return;
    }
    history.times.push(snapshot.time);
    history.heapUsed.push(snapshot.heapUsed);
    history.cpu.push(snapshot.cpu);
    history.gc.push(...snapshot.gc);
    for (const pipeline of snapshot.pipelines) {
      const columns = (history.pipelines[pipeline.name] ??= {
        eventsPerSecond: Array(length).fill(null),
        bytesPerEvent: Array(length).fill(null),
      });
      columns.eventsPerSecond.push(pipeline.eventsPerSecond);
      columns.bytesPerEvent.push(pipeline.bytesPerEvent);
    }
    this.#removeBefore(snapshot.time - HISTORY_MILLIS);
  }

  #removeBefore(oldestTime) {
    const history = this.history;
    const expired = history.times.findIndex((time) => time >= oldestTime);
    if (expired > 0) {
      const columns = [history.times, history.heapUsed, history.cpu];
      Object.values(history.pipelines).forEach((pipeline) => columns.push(...Object.values(pipeline)));
      columns.forEach((column) => column.splice(0, expired));
    }
    history.gc = history.gc.filter((pause) => pause.time >= oldestTime);
  }

  #setState(state) {
    if (this.state !== state) {
      this.state = state;
      this.dispatchEvent(new Event('state'));
    }
  }
}
