import { getJson } from './api.js';

/**
 * Server-sent events that reconnect after errors and disconnect while the page is hidden: over HTTP/1.1 a browser has
 * six connections to a server, shared by all tabs.
 */
export class Stream {
  #path;
  #handlers = { parse: JSON.parse };
  #source = null;
  #retry = null;
  #stopped = false;
  #visibility = () => (document.hidden ? this.#disconnect('paused') : this.#connect());

  /**
   * Listens until {@link stop}.
   *
   * @param path path of the event stream
   * @param handlers event(data) receives each parsed event; state(name) one of connecting, live, disconnected, paused;
   *     parse(text) replaces JSON.parse
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
    this.#report('connecting');
    const source = new EventSource(this.#path);
    this.#source = source;
    source.onopen = () => this.#report('live');
    source.onmessage = (event) => this.#handlers.event(this.#handlers.parse(event.data));
    source.onerror = () => {
      // A browser reconnects after a network error, but not after an error status. This handles both in the same way.
      this.#disconnect('disconnected');
      // EventSource does not report the status. If the session has ended, this request opens the sign-in page.
      getJson('/api/user').catch(() => {});
      this.#retry = setTimeout(() => this.#connect(), 2000);
    };
  }

  #disconnect(state) {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
    this.#report(state);
  }

  #report(state) {
    if (!this.#stopped) {
      this.#handlers.state?.(state);
    }
  }
}
