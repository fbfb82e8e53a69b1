import { html, nothing } from 'lit-html';
import { count, countOf, day, nanos, time } from './format.js';

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

/** Kinds of rows and alerts of measures, and their names. */
const ROWS = { same: 'Same', new: 'New', missing: 'Missing', 'other-values': 'Other values' };

/** Groups that are shown. */
const GROUPS_MAX = 50;

/**
 * Returns the report of a shadow or of a backtest: the counts as bars, the groups, examples, and the measures of a
 * backtest.
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
      ${countOf(report.records, 'record')}${report.skipped ? `, ${count(report.skipped)} skipped because the rules are slow or a batch has too many elements` : ''}. The rules take ${nanos(Number(report.nanosPerRecord))} a record, the live rules
      ${nanos(Number(report.liveNanosPerRecord))}. ${total}
    </p>
    ${report.groups.length ? groupTable(report.groups) : nothing}
    ${list(report.examples.map(example))} ${report.measures?.map(measure) ?? nothing}
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

const list = (examples) => (examples.length ? html`<ul class="examples">${examples}</ul>` : nothing);

function example({ difference, position, live, shadow }) {
  return html`<li>
    <h3>${KINDS[difference]}${position === undefined ? nothing : html` <span class="note">at position ${position}</span>`}</h3>
    ${sides(
      html`${result(live)} <span class="mono">${values(live.values, null)}</span>`,
      html`${result(shadow)} <span class="mono">${values(shadow.values, live.values)}</span>`,
    )}
  </li>`;
}

const sides = (live, other) =>
  html`<dl>
    <dt>Live</dt>
    <dd>${live}</dd>
    <dt>New</dt>
    <dd>${other}</dd>
  </dl>`;

function result({ outcome, target, reason }) {
  return target ? `${outcome} in ${target}` : reason ? `${outcome}, ${reason}` : outcome;
}

/** Returns all values, or those that differ from others. */
function values(all, others) {
  return Object.entries(all)
    .filter(([name, value]) => others === null || text(value) !== text(others[name]))
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(', ');
}

/** Exact numbers and texts have a text of their own, parts and lists don't. */
const text = (value) => (Array.isArray(value) || value?.constructor === Object ? JSON.stringify(value) : String(value));

/** Returns the rows of closed windows and the alerts of a measure. */
function measure({ measure: name, problem, same, differences, skipped, alerts, examples }) {
  return html`<section class="measure" data-measure=${name}>
    <h3>Measure ${name}</h3>
    ${problem
      ? html`<p class="note">Not compared. ${problem}</p>`
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Differences of measure ${name}">
            <table>
              <caption class="unseen">Differences of measure ${name}</caption>
              <thead>
                <tr>
                  <th scope="col"><span class="unseen">count</span></th>
                  ${Object.values(ROWS).map((kind) => html`<th scope="col" class="num">${kind}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${countsRow('rows of closed windows', { same, ...differences })}
                ${alerts.map(({ alert, raised, cleared }) => [countsRow(`alert ${alert} raised`, raised), countsRow(`alert ${alert} cleared`, cleared)])}
              </tbody>
            </table>
          </div>
          ${skipped ? html`<p class="note">${countOf(skipped, 'row')} not compared, because too many waited for those of the other version.</p>` : nothing}
          ${list([...alerts.flatMap(({ alert, examples: changes }) => changes.map((change) => alertExample(alert, change))), ...examples.map(rowExample)])}`}
  </section>`;
}

const countsRow = (name, counts) =>
  html`<tr>
    <th scope="row">${name}</th>
    ${Object.keys(ROWS).map((kind) => html`<td class="num" data-kind=${kind}>${kind in counts ? count(counts[kind]) : ''}</td>`)}
  </tr>`;

function alertExample(alert, { difference, raised, at, row }) {
  const change = html`${raised ? 'raised' : 'cleared'} at ${day(at)} ${time(at)} <span class="mono">${values(row, null)}</span>`;
  return html`<li>
    <h3>${ROWS[difference]} <span class="note">alert ${alert}</span></h3>
    ${difference === 'new' ? sides('none', change) : sides(change, 'none')}
  </li>`;
}

function rowExample({ difference, live, shadow }) {
  return html`<li>
    <h3>${ROWS[difference]} <span class="note">row</span></h3>
    ${sides(
      live ? html`<span class="mono">${values(live, null)}</span>` : 'none',
      shadow ? html`<span class="mono">${values(shadow, live ?? null)}</span>` : 'none',
    )}
  </li>`;
}
