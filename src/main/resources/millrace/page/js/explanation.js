import { html, nothing } from 'lit-html';
import { compiledExpression, constraints } from './expressions.js';
import { countOf } from './format.js';

/** Roles of expressions that send records to a target. In measures, the target of `when` is an alert. */
const SENDING = ['to', 'otherwise', 'when'];

/**
 * Returns how the steps of a pipeline were compiled.
 *
 * @param explanation explanation of a pipeline, with or without counts
 */
export function explanation({ name, schema, recordBytes, addedBytes, steps }) {
  const expressions = steps.flatMap((step) => step.expressions);
  const reads = unique(expressions.flatMap((expression) => expression.reads ?? []).map((field) => field.name));
  const writes = unique(steps.flatMap((step) => step.writes).map((field) => field.name));
  const targets = unique(
    steps
      .filter((step) => step.kind !== 'measure')
      .flatMap((step) => step.expressions)
      .filter(({ role, target }) => SENDING.includes(role) && target)
      .map(({ target }) => target),
  );
  const facts = [
    ['records', `${schema}, ${countOf(recordBytes, 'byte')}`],
    ['reads', reads.join(', ') || 'no fields'],
    ...(writes.length ? [['writes', `${writes.join(', ')}${addedBytes ? `, ${countOf(addedBytes, 'byte')} added` : ''}`]] : []),
    ['targets', targets.join(', ') || 'none'],
  ];
  return html`
    <dl class="uses">${facts.map(([term, text]) => html`<dt>${term}</dt><dd>${text}</dd>`)}</dl>
    ${steps.map(
      (step) => html`<section class="step">
        <h3>
          ${step.name.slice(name.length + 1)}
          ${step.codeBytes ? html`<span class="note">${countOf(step.codeBytes, 'byte')} of code</span>` : nothing}
        </h3>
        ${constraints(step)} ${step.expressions.map((expression) => compiledExpression(expression))}
      </section>`,
    )}
  `;
}

const unique = (names) => [...new Set(names)];
