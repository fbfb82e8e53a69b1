import { getJson } from './api.js';

/**
 * Server-sent events that come back by themselves, and rest while the page is hidden: a browser has six connections to a
 * server, shared by all its tabs.
 */
export class Stream {
  #path;
  #handlers = { parse: JSON.parse };
  #source = null;
  #retry = null;
  #stopped = false;
  #visibility = () => (document.hidden ? this.#disconnect('paused') : this.#connect());

  /**
   * Listens until it is stopped.
   *
   * @param path of the events
   * @param handlers event(data) with what was sent; state(word), one of connecting, live, cut, paused;
   *     parse(text), if not JSON.parse
   */
  constructor(path, handlers) {
    this.#path = path;
    this.#handlers = { ...this.#handlers, ...handlers };
    document.addEventListener('visibilitychange', this.#visibility);
    this.#visibility();
  }

  stop() {
    this.#stopped = true;
    document.removeEventListener('visibilitychange', this.#visibility);
    this.#disconnect('paused');
  }

  #connect() {
    if (this.#stopped || this.#source) {
      return;
    }
    this.#tell('connecting');
    const source = new EventSource(this.#path);
    this.#source = source;
    source.onopen = () => this.#tell('live');
    source.onmessage = (event) => this.#handlers.event(this.#handlers.parse(event.data));
    source.onerror = () => {
      // A browser tries again after a broken connection, but not after a refusal: one way for both.
      this.#disconnect('cut');
      // EventSource does not report the status. If the session has ended, this request leads to the sign-in page.
      getJson('/api/user').catch(() => {});
      this.#retry = setTimeout(() => this.#connect(), 2000);
    };
  }

  #disconnect(state) {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
    this.#tell(state);
  }

  #tell(state) {
    if (!this.#stopped) {
      this.#handlers.state?.(state);
    }
  }
}
