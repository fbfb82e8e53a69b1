/** Requests to the HTTP interface. */

/** A request that was refused. Has what the problem detail (RFC 9457) told. */
export class ApiError extends Error {
  /** @param problem the problem detail, with at least detail and status */
  constructor(problem) {
    super(problem.detail ?? problem.title ?? `status ${problem.status}`);
    this.problem = problem;
  }
}

/** A number whose digits JavaScript's numbers would not keep: 1000000.00, or a whole number past 2^53. */
export class ExactNumber {
  #digits;

  constructor(digits) {
    this.#digits = digits;
  }

  /** As near as a number comes, for an order. */
  valueOf() {
    return Number(this.#digits);
  }

  toString() {
    return this.#digits;
  }
}

/** What a JSON text tells, its numbers with the digits that they have there. */
export function parseExact(text) {
  return JSON.parse(text, (key, value, context) => {
    // Browsers before 2025 do not tell the source: then a number is what JavaScript makes of it.
    const exact = typeof value === 'number' && context?.source && /^-?[\d.]+$/.test(context.source);
    return exact && context.source !== String(value) ? new ExactNumber(context.source) : value;
  });
}

/** Whether a value is shown as a number. */
export const isNumber = (value) => typeof value === 'number' || value instanceof ExactNumber;

/**
 * What a GET answers, from JSON.
 *
 * @param path with its query
 * @param signal that gives the request up
 * @throws ApiError where it is refused
 */
export async function getJson(path, signal) {
  return (await request(path, { signal })).json();
}

/** The same, with {@link parseExact numbers as they are written}: for what records hold. */
export async function getExact(path, signal) {
  return parseExact(await (await request(path, { signal })).text());
}

/** Sends an object as JSON; answers what comes back. */
export async function putJson(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  return (await request(path, { method: 'PUT', headers, body: JSON.stringify(body) })).json();
}

/** X-Requested-With prevents the browser's own dialog for passwords. */
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
    // Not every proxy tells its errors in JSON.
  }
  if (problem.code === 'sign-in') {
    signIn();
  }
  throw new ApiError({ status: response.status, ...problem });
}

/** Leaves for the page to sign in on. */
function signIn() {
  location.assign('/sign-in.html');
}

/** A path with parameters; those that are empty are left out. */
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
