/** Requests to the HTTP interface. */

/** A request that was refused. Has what the problem detail (RFC 9457) told. */
export class ApiError extends Error {
  /** @param problem the problem detail, with at least detail and status */
  constructor(problem) {
    super(problem.detail ?? problem.title ?? `status ${problem.status}`);
    this.problem = problem;
  }
}

/**
 * What a GET answers, from JSON.
 *
 * @param path with its query
 * @param signal that gives the request up
 * @throws ApiError where it is refused
 */
export function getJson(path, signal) {
  return request(path, { signal });
}

/** Sends an object as JSON; answers what comes back. */
export function putJson(path, body) {
  return request(path, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

async function request(path, options) {
  const response = await fetch(path, { ...options, headers: { Accept: 'application/json', ...options.headers } });
  if (response.ok) {
    return response.json();
  }
  let problem = {};
  try {
    problem = await response.json();
  } catch {
    // Not every proxy tells its errors in JSON.
  }
  throw new ApiError({ status: response.status, ...problem });
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
