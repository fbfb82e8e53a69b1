import { html } from 'lit-html';

/** Characters of an expression that are shown before and after an error. */
const BEFORE = 44;
const AFTER = 40;

/**
 * Locates the error that a problem detail reports in the parameters of a query.
 *
 * @param problem the problem detail
 * @param texts texts of the query by parameter
 * @return { parameter, position }, or null if the error is not in a parameter
 */
export function locateError(problem, texts) {
  if (problem.expression !== undefined) {
    const parameter = Object.keys(texts).find((name) => texts[name].includes(problem.expression));
    return parameter ? { parameter, position: texts[parameter].indexOf(problem.expression) + (problem.position ?? 0) } : null;
  }
  const [, name, text] = /^(\w+)=(\S+?),? /.exec(problem.detail ?? '') ?? [];
  const candidates = name === 'field' ? ['select', 'by', 'orderBy'] : [name];
  const parameter = candidates.find((candidate) => texts[candidate]?.includes(text));
  return parameter ? { parameter, position: texts[parameter].indexOf(text) } : null;
}

/** Shows the text with a caret below the position of the error, and the message. */
export function queryError(id, text, position, { detail = '', hint, code }) {
  const line = text.replaceAll('\n', ' ');
  const start = Math.max(0, position - BEFORE);
  const ellipsis = start > 0 ? '\u2026' : '';
  const excerpt = ellipsis + line.slice(start, position + AFTER) + (line.length > position + AFTER ? '\u2026' : '');
  // For terminals, the API's detail repeats the expression with a caret, and the hint, on further lines.
  const [message] = detail.replace(`${code}: `, '').split('\n');
  return html`<div class="problem query-error" id=${id} role="alert">
    <pre aria-hidden="true">${excerpt}\n${' '.repeat(position - start + ellipsis.length)}<b>^</b></pre>
    <p><strong>${message}</strong>${hint ? html`, ${hint}` : ''} <span class="note">character ${position + 1}, ${code}</span></p>
  </div>`;
}
