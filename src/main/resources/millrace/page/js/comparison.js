import { html, nothing } from 'lit-html';
import { count, countOf, nanos } from './format.js';

/** How the results of other rules differ from those of the live rules. */

/** Results, and their names. All but `same` are differences. */
export const KINDS = {
  same: 'Same result',
  'newly-kept': 'Newly kept',
  'newly-dropped': 'Newly dropped',
  'newly-rejected': 'Newly rejected',
  'other-target': 'Other target',
  'other-values': 'Other values',
};

/** Groups that are shown. */
const GROUPS_MAX = 50;

/**
 * Returns the report of a shadow or of a backtest: the counts as bars, the groups, and examples.
 *
 * @param total what is said about the total time for each record
 */
export function comparison(report, total) {
  const counts = { same: report.same, ...report.differences };
  return html`
    <table class="bars">
      <caption class="unseen">
        Records by result
      </caption>
      <tbody>
        ${Object.entries(counts).map(([kind, records]) => bar(kind, records, report.records))}
      </tbody>
    </table>
    <p class="note">
      ${countOf(report.records, 'record')}. The rules take ${nanos(Number(report.nanosPerRecord))} a record, the live rules
      ${nanos(Number(report.liveNanosPerRecord))}. ${total}
    </p>
    ${report.groups.length ? groupTable(report.groups) : nothing}
    ${report.examples.length ? html`<ul class="examples">${report.examples.map(example)}</ul>` : nothing}
  `;
}

/** Returns the groups with most differences, and columns for the kinds that occur. */
function groupTable(groups) {
  const names = Object.keys(groups[0].by);
  const kinds = Object.keys(KINDS).filter((kind) => groups.some(({ differences }) => differences[kind]));
  const total = ({ differences }) => Object.values(differences).reduce((sum, records) => sum + records, 0);
  const largest = [...groups].sort((a, b) => total(b) - total(a)).slice(0, GROUPS_MAX);
  return html`<div class="scroll groups" tabindex="0" role="group" aria-label="Differences by ${names.join(', ')}">
    <table>
      <caption class="label">
        ${groups.length > GROUPS_MAX ? `The ${GROUPS_MAX} of ${countOf(groups.length, 'group')} with most differences` : 'Differences by group'}
      </caption>
      <thead>
        <tr>
          ${names.map((name) => html`<th scope="col">${name}</th>`)}
          ${kinds.map((kind) => html`<th scope="col" class="num">${KINDS[kind]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${largest.map(
          ({ by, differences }) => html`<tr>
            ${names.map((name) => html`<td>${by[name]}</td>`)}
            ${kinds.map((kind) => html`<td class="num">${count(differences[kind] ?? 0)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
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
