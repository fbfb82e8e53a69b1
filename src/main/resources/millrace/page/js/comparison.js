import { html, nothing } from 'lit-html';
import { count, nanos } from './format.js';

/** How the results of other rules differ from those of the live rules. */

const KINDS = {
  same: 'Same result',
  'newly-kept': 'Newly kept',
  'newly-dropped': 'Newly dropped',
  'newly-rejected': 'Newly rejected',
  'other-target': 'Other target',
  'other-values': 'Other values',
};

/** Returns the counts as bars, and the examples of a shadow. */
export function comparison(shadow) {
  const counts = { same: shadow.same, ...shadow.differences };
  return html`
    <table class="bars">
      <caption class="unseen">
        Records by result
      </caption>
      <tbody>
        ${Object.entries(counts).map(([kind, records]) => bar(kind, records, shadow.records))}
      </tbody>
    </table>
    <p class="note">
      ${count(shadow.records)} records. The rules take ${nanos(Number(shadow.nanosPerRecord))} a record, the live rules
      ${nanos(Number(shadow.liveNanosPerRecord))}. The comparison adds ${nanos(Number(shadow.totalNanosPerRecord))} to each record.
    </p>
    ${shadow.examples.length ? html`<ul class="examples">${shadow.examples.map(example)}</ul>` : nothing}
  `;
}

function bar(kind, records, all) {
  const share = all ? records / all : 0;
  return html`<tr data-kind=${kind} class=${kind === 'same' || records === 0 ? '' : 'differs'}>
    <th scope="row">${KINDS[kind]}</th>
    <td class="num">${count(records)}</td>
    <td class="num">${(100 * share).toFixed(2)}%</td>
    <td class="length">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width=${(100 * share).toFixed(2)} height="4" /></svg>
    </td>
  </tr>`;
}

function example({ difference, position, live, shadow }) {
  return html`<li>
    <h3>${KINDS[difference]}${position === undefined ? nothing : html` <span class="note">at position ${position}</span>`}</h3>
    <dl>
      <dt>Live</dt>
      <dd>${result(live)} <span class="mono">${values(live, null)}</span></dd>
      <dt>New</dt>
      <dd>${result(shadow)} <span class="mono">${values(shadow, live)}</span></dd>
    </dl>
  </li>`;
}

function result({ outcome, target, reason }) {
  return target ? `${outcome} in ${target}` : reason ? `${outcome}, ${reason}` : outcome;
}

/** Returns all values, or those that differ from the other side. */
function values(side, other) {
  return Object.entries(side.values)
    .filter(([name, value]) => other === null || text(value) !== text(other.values[name]))
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(', ');
}

/** Exact numbers and texts have a text of their own, parts and lists don't. */
const text = (value) => (Array.isArray(value) || value?.constructor === Object ? JSON.stringify(value) : String(value));
