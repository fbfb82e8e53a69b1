import { html, nothing } from 'lit-html';
import { isNumber } from './api.js';
import { value } from './format.js';

/** Rows as a table that its heads sort. */
export class SortedTable {
  #sorted = { name: null, ascending: false };
  #changed;

  /**
   * @param changed called when it is to be drawn in another order
   * @param name column by which the rows are sorted at first, the largest before; null to leave them as they come
   */
  constructor(changed, name = null) {
    this.#changed = changed;
    this.#sorted.name = name;
  }

  /**
   * The table.
   *
   * @param caption for those who do not see what it is of
   * @param names of the columns
   * @param rows objects with values by these names
   * @param options most: how many of the rows; pick(row): what a click on a row's first value does; picked(row): whether it
   *     was done; show(value): its text
   */
  template(caption, names, rows, { most = Infinity, pick, picked, show = value } = {}) {
    const numbers = new Set(names.filter((name) => rows.some((row) => isNumber(row[name]))));
    const kind = (name) => (numbers.has(name) ? 'num' : '');
    return html`<table>
      <caption class="unseen">${caption}</caption>
      <thead>
        <tr>
          ${names.map(
            (name) => html`<th scope="col" class=${kind(name)} aria-sort=${this.#order(name)}>
              <button type="button" class="sort" @click=${() => this.#sort(name)}>${name}</button>
            </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${this.#inOrder(rows)
          .slice(0, most)
          .map(
            (row) => html`<tr class=${picked?.(row) ? 'chosen' : ''}>
              ${names.map((name, i) =>
                pick && i === 0
                  ? html`<th scope="row">
                      <button type="button" class="quiet" aria-pressed=${picked(row)} @click=${() => pick(row)}>${show(row[name])}</button>
                    </th>`
                  : html`<td class=${kind(name)}>${show(row[name])}</td>`,
              )}
            </tr>`,
          )}
      </tbody>
    </table>`;
  }

  #order(name) {
    return name === this.#sorted.name ? (this.#sorted.ascending ? 'ascending' : 'descending') : nothing;
  }

  #sort(name) {
    const again = this.#sorted.name === name;
    this.#sorted = { name, ascending: again && !this.#sorted.ascending };
    this.#changed();
  }

  #inOrder(rows) {
    const { name, ascending } = this.#sorted;
    return name === null ? rows : [...rows].sort((a, b) => (ascending ? 1 : -1) * compared(a[name], b[name]));
  }
}

/** What is absent is less than all else. */
function compared(a, b) {
  if (a === null || b === null) {
    return (a === null ? 0 : 1) - (b === null ? 0 : 1);
  }
  return isNumber(a) && isNumber(b) ? a - b : String(a).localeCompare(String(b));
}
