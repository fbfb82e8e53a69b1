/** Requests to the HTTP API. */

/** An error response, with its problem detail (RFC 9457). */
export class ApiError extends Error {
  /** @param problem the problem detail, with at least detail and status */
  constructor(problem) {
    super(problem.detail ?? problem.title ?? `status ${problem.status}`);
    this.problem = problem;
  }
}

/** A number that JavaScript's numbers can't hold with all digits: 1000000.00, or an integer beyond 2^53. */
export class ExactNumber {
  #digits;

  constructor(digits) {
    this.#digits = digits;
  }

  /** Returns the nearest number, to sort by. */
  valueOf() {
    return Number(this.#digits);
  }

  toString() {
    return this.#digits;
  }
}

/** Parses JSON. Numbers that would lose digits become {@link ExactNumber}. */
export function parseExact(text) {
  return JSON.parse(text, (key, value, context) => {
    // Browsers before 2025 do not pass the source. The value is then JavaScript's number.
    const exact = typeof value === 'number' && context?.source && /^-?[\d.]+$/.test(context.source);
    return exact && context.source !== String(value) ? new ExactNumber(context.source) : value;
  });
}

/** Returns whether a value is shown as a number. */
export const isNumber = (value) => typeof value === 'number' || value instanceof ExactNumber;

/**
 * Sends a GET and returns the parsed JSON.
 *
 * @param path path and query string
 * @param signal aborts the request
 * @throws ApiError if the status is not 2xx
 */
export async function getJson(path, signal) {
  return (await request(path, { signal })).json();
}

/** The same with {@link parseExact}, for values of records. */
export async function getExact(path, signal) {
  return parseExact(await (await request(path, { signal })).text());
}

/** Sends an object as JSON by PUT and returns the parsed response. */
export async function putJson(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  return (await request(path, { method: 'PUT', headers, body: JSON.stringify(body) })).json();
}

/**
 * Sends YAML by POST and returns the parsed response.
 *
 * @param version number of the version that must be the newest one; null for any
 * @param signal aborts the request
 */
export async function postYaml(path, body, version = null, signal = undefined) {
  const headers = { 'Content-Type': 'application/yaml', ...(version === null ? {} : { 'If-Match': `"${version}"` }) };
  return parseExact(await (await request(path, { method: 'POST', headers, body, signal })).text());
}

/** Sends an empty POST and returns the parsed JSON. */
export async function post(path) {
  return (await request(path, { method: 'POST' })).json();
}

/** Sends a DELETE. */
export async function remove(path) {
  await request(path, { method: 'DELETE' });
}

/** X-Requested-With prevents the browser's password dialog. */
const HEADERS = { Accept: 'application/json', 'X-Requested-With': 'fetch' };

async function request(path, options) {
  const response = await fetch(path, { ...options, headers: { ...HEADERS, ...options.headers } });
  if (response.ok) {
    return response;
  }
  let problem = {};
  try {
    problem = await response.json();
  } catch {
    // Some proxies send errors that are not JSON.
  }
  if (problem.code === 'sign-in') {
    location.assign('/sign-in.html');
  }
  throw new ApiError({ status: response.status, ...problem });
}

/** Returns the path with a query string of the parameters that are not empty. */
export function withQuery(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries(parameters)) {
    if (text !== '' && text !== null && text !== undefined) {
      query.set(name, text);
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
