import { html, nothing } from 'lit-html';
import { isNumber } from './api.js';
import { value } from './format.js';

/** A table that its column headers sort. */
export class SortedTable {
  #sorted = { name: null, ascending: false };
  #onSort;

  /**
   * @param onSort called when the table must be drawn in another order
   * @param name column by which the rows are sorted initially, in descending order; null for the order of the rows
   */
  constructor(onSort, name = null) {
    this.#onSort = onSort;
    this.#sorted.name = name;
  }

  /**
   * Returns the table.
   *
   * @param caption caption for screen readers
   * @param names names of the columns
   * @param rows objects with values by column
   * @param options maxRows: maximum number of rows; onSelect(row): called when the button in the first column is
   *     pressed; isSelected(row): whether the row is selected; format(value): text of a value
   */
  template(caption, names, rows, { maxRows = Infinity, onSelect, isSelected, format = value } = {}) {
    const numbers = new Set(names.filter((name) => rows.some((row) => isNumber(row[name]))));
    const alignment = (name) => (numbers.has(name) ? 'num' : '');
    return html`<table>
      <caption class="unseen">${caption}</caption>
      <thead>
        <tr>
          ${names.map(
            (name) => html`<th scope="col" class=${alignment(name)} aria-sort=${this.#order(name)}>
              <button type="button" class="sort" @click=${() => this.#sort(name)}>${name}</button>
            </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${this.#sortedRows(rows)
          .slice(0, maxRows)
          .map(
            (row) => html`<tr class=${isSelected?.(row) ? 'selected' : ''}>
              ${names.map((name, i) =>
                onSelect && i === 0
                  ? html`<th scope="row">
                      <button type="button" class="quiet" aria-pressed=${isSelected(row)} @click=${() => onSelect(row)}>${format(row[name])}</button>
                    </th>`
                  : html`<td class=${alignment(name)}>${format(row[name])}</td>`,
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
    const sameColumn = this.#sorted.name === name;
    this.#sorted = { name, ascending: sameColumn && !this.#sorted.ascending };
    this.#onSort();
  }

  #sortedRows(rows) {
    const { name, ascending } = this.#sorted;
    return name === null ? rows : [...rows].sort((a, b) => (ascending ? 1 : -1) * compare(a[name], b[name]));
  }
}

/** Compares values in ascending order. Absent values are first. */
function compare(a, b) {
  if (a === null || b === null) {
    return (a === null ? 0 : 1) - (b === null ? 0 : 1);
  }
  return isNumber(a) && isNumber(b) ? a - b : String(a).localeCompare(String(b));
}
