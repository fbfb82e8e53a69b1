import { html } from 'lit-html';

/** What is seen of an expression before and behind a mistake in it. */
const BEFORE = 44;
const BEHIND = 40;

/**
 * Where the mistake is that a refused query tells of.
 *
 * @param problem the problem detail
 * @param texts of the query, by the names of its parameters
 * @return { parameter, position }; null where it is of no part of the query
 */
export function locate(problem, texts) {
  if (problem.expression !== undefined) {
    const parameter = Object.keys(texts).find((name) => texts[name].includes(problem.expression));
    return parameter ? { parameter, position: texts[parameter].indexOf(problem.expression) + (problem.position ?? 0) } : null;
  }
  const [, name, text] = /^(\w+)=(\S+?),? /.exec(problem.detail ?? '') ?? [];
  const candidates = name === 'field' ? ['select', 'by', 'orderBy'] : [name];
  const parameter = candidates.find((of) => texts[of]?.includes(text));
  return parameter ? { parameter, position: texts[parameter].indexOf(text) } : null;
}

/** The text with a caret under the place, and what is wrong there. */
export function mistake(id, text, position, { detail = '', hint, code }) {
  const line = text.replaceAll('\n', ' ');
  const from = Math.max(0, position - BEFORE);
  const dots = from > 0 ? '\u2026' : '';
  const shown = dots + line.slice(from, position + BEHIND) + (line.length > position + BEHIND ? '\u2026' : '');
  // The API's own words repeat the expression with a caret, for terminals, and the hint.
  const [words] = detail.replace(`${code}: `, '').split('\n');
  return html`<div class="problem mistake" id=${id} role="alert">
    <pre aria-hidden="true">${shown}\n${' '.repeat(position - from + dots.length)}<b>^</b></pre>
    <p><strong>${words}</strong>${hint ? html`, ${hint}` : ''} <span class="note">character ${position + 1}, ${code}</span></p>
  </div>`;
}
