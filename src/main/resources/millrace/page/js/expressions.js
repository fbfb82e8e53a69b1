import { html, nothing } from 'lit-html';
import { indented } from './form.js';

/**
 * Returns an expression of a step: its role, its text, and how it was compiled.
 *
 * @param counts shown below the text
 */
export function compiledExpression({ role, target, expression: source, form, type, reads, constants }, counts = nothing) {
  return html`<section class="expression">
    <h4 class="label">${role}${target ? html` <span aria-label="to">\u2192</span> ${target}` : nothing}</h4>
    ${source ? html`<pre class="source"><code>${source}</code></pre>` : nothing}
    ${counts}
    ${form
      ? html`<details>
          <summary>Compiled form</summary>
          <p class="note">Typed form with a result of type ${type}. It is compiled to a loop over the bytes of the records.</p>
          <pre class="form"><code>${indented(form)}</code></pre>
          <div class="compiled">${readsTable(reads)} ${constantsTable(constants)}</div>
        </details>`
      : nothing}
  </section>`;
}

/** Returns what a step requires of values, if it does. */
export function constraints({ constraints: texts }) {
  return texts.length === 0
    ? nothing
    : html`<section class="expression">
        <h4 class="label">checks</h4>
        <pre class="source"><code>${texts.join('\n')}</code></pre>
      </section>`;
}

function readsTable(reads = []) {
  return reads.length === 0
    ? nothing
    : html`<div class="scroll"><table>
        <caption class="label">Fields read</caption>
        <thead><tr><th scope="col">field</th><th scope="col">type</th><th scope="col" class="num">offset</th><th scope="col" class="num">bytes</th></tr></thead>
        <tbody>
          ${reads.map(
            ({ name, type, optional, added, offset, bytes }) => html`<tr>
              <th scope="row">${name}</th>
              <td>${type}${optional ? ', optional' : nothing}${added ? ', added' : nothing}</td>
              <td class="num">${offset}</td>
              <td class="num">${bytes}</td>
            </tr>`,
          )}
        </tbody>
      </table></div>`;
}

function constantsTable(constants = []) {
  return constants.length === 0
    ? nothing
    : html`<div class="scroll"><table>
        <caption class="label">Constants</caption>
        <thead><tr><th scope="col">meaning</th><th scope="col">type</th><th scope="col" class="num">stored form</th></tr></thead>
        <tbody>
          ${constants.map(
            ({ type, raw, meaning }) => html`<tr><th scope="row">${meaning}</th><td>${type}</td><td class="num">${raw}</td></tr>`,
          )}
        </tbody>
      </table></div>`;
}
