import { getJson } from './api.js';
import { Stream } from './stream.js';

/** What the history covers. */
export const KEPT_MILLIS = 15 * 60 * 1000;
const SILENT_MILLIS = 5000;

/**
 * What is going on, second by second: one stream for all views. Events: "moment" for each that came, "state" where the
 * connection's has changed. The history's columns have one entry a second, the oldest first.
 */
export class Live extends EventTarget {
  /** One of connecting, live, silent (connected, but nothing came for five seconds), cut, paused. */
  state = 'connecting';
  /** The last that came; null before the first. */
  moment = null;
  /** The one before, for rates. */
  before = null;
  history = { times: [], heapUsed: [], cpu: [], gc: [], pipelines: {} };
  #silence = null;
  #waiting = null;

  /** Connects, for as long as the page is there. */
  start() {
    new Stream('/api/live', {
      event: (moment) => this.#take(moment),
      state: (state) => {
        if (state === 'live') {
          this.#load();
        }
        this.#become(state);
      },
    });
  }

  /** What was counted up a second since the moment before; null where that is not known. @param pick counter of a moment */
  rate(pick) {
    if (!this.before) {
      return null;
    }
    const seconds = (this.moment.time - this.before.time) / 1000;
    const now = pick(this.moment);
    const then = pick(this.before);
    return seconds <= 0 || now === undefined || then === undefined ? null : Math.max(0, (now - then) / seconds);
  }

  /** Moments that come while the history is fetched are put behind it. */
  async #load() {
    this.#waiting = [];
    try {
      this.history = await getJson('/api/live/history');
    } catch {
      // The figures of now are worth showing without those before.
    }
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting.forEach((moment) => this.#append(moment));
    if (this.moment) {
      this.dispatchEvent(new Event('moment'));
    }
  }

  #take(moment) {
    this.before = this.moment && moment.time > this.moment.time ? this.moment : this.before;
    this.moment = moment;
    this.#become('live');
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.state === 'live' && this.#become('silent'), SILENT_MILLIS);
    if (this.#waiting) {
      this.#waiting.push(moment);
    } else {
      this.#append(moment);
    }
    this.dispatchEvent(new Event('moment'));
  }

  #append(moment) {
    const history = this.history;
    const length = history.times.length;
    if (length && moment.time <= history.times[length - 1]) {
      return;
    }
    history.times.push(moment.time);
    history.heapUsed.push(moment.heapUsed);
    history.cpu.push(moment.cpu);
    history.gc.push(...moment.gc);
    for (const pipeline of moment.pipelines) {
      const columns = (history.pipelines[pipeline.name] ??= {
        eventsPerSecond: Array(length).fill(null),
        bytesPerEvent: Array(length).fill(null),
      });
      columns.eventsPerSecond.push(pipeline.eventsPerSecond);
      columns.bytesPerEvent.push(pipeline.bytesPerEvent);
    }
    this.#forget(moment.time - KEPT_MILLIS);
  }

  #forget(until) {
    const history = this.history;
    const old = history.times.findIndex((time) => time >= until);
    if (old > 0) {
      const columns = [history.times, history.heapUsed, history.cpu];
      Object.values(history.pipelines).forEach((pipeline) => columns.push(...Object.values(pipeline)));
      columns.forEach((column) => column.splice(0, old));
    }
    history.gc = history.gc.filter((pause) => pause.time >= until);
  }

  #become(state) {
    if (this.state !== state) {
      this.state = state;
      this.dispatchEvent(new Event('state'));
    }
  }
}
