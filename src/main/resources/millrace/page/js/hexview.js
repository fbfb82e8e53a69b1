import { html, nothing } from 'lit-html';
import { countOf, value } from './format.js';

/**
 * The bytes of a record in hexadecimal digits, next to its fields. Pointing at a field, or moving to it with the arrow
 * keys, marks its bytes. Pointing at a byte marks its field.
 */
export class HexView {
  #sample = null;
  #marked = null;
  #onMark;

  /** @param onMark called when another field is marked and the view must be drawn again */
  constructor(onMark) {
    this.#onMark = onMark;
  }

  /** @param sample event of a tap, or null */
  show(sample) {
    this.#sample = sample;
  }

  template() {
    const sample = this.#sample;
    if (!sample) {
      return nothing;
    }
    const fields = [...sample.fields, ...(sample.added?.fields ?? [])];
    return html`
      <div class="hexview">
        <div class="dump" role="group" tabindex="0" aria-label="Bytes of the record. Use the arrow keys to move between fields."
          @pointerover=${(event) => this.#mark(event.target.dataset?.field)} @keydown=${(event) => this.#onKeydown(event, fields)}>
          ${part('As received', sample.bytes, sample.fields, this.#marked)}
          ${sample.added ? part('Added by steps', sample.added.bytes, sample.added.fields, this.#marked) : nothing}
        </div>
        <div class="fields" role="listbox" tabindex="0" aria-label="Fields of the record"
          aria-activedescendant=${this.#marked ? `field-${this.#marked}` : nothing} @keydown=${(event) => this.#onKeydown(event, fields)}>
          ${fields.map((field) => this.#field(field, sample))}
        </div>
      </div>
    `;
  }

  #field({ name, offset, length }, { record }) {
    const marked = name === this.#marked;
    return html`<div role="option" id="field-${name}" class=${marked ? 'marked' : ''} aria-selected=${marked}
      @pointerenter=${() => this.#mark(name)}>
      <span class="name">${name}</span><span class="value">${value(record[name])}</span>
      <span class="at">${offset}\u202f+\u202f${length}</span>
    </div>`;
  }

  #onKeydown(event, fields) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step && fields.length) {
      event.preventDefault();
      const index = fields.findIndex(({ name }) => name === this.#marked);
      const next = index < 0 ? 0 : (index + step + fields.length) % fields.length;
      this.#mark(fields[next].name);
    }
  }

  #mark(name) {
    if (name !== this.#marked && name !== undefined) {
      this.#marked = name;
      this.#onMark();
    }
  }
}

function part(title, hex, fields, marked) {
  const length = hex.length / 2;
  const owners = Array(length).fill(null);
  fields.forEach((field, i) =>
    owners.fill({ name: field.name, odd: i % 2 === 1 }, field.offset, field.offset + field.length),
  );
  const lines = [];
  for (let offset = 0; offset < length; offset += 16) {
    lines.push(line(hex, owners, offset, Math.min(length, offset + 16), marked));
  }
  return html`<p class="label">${title}, ${countOf(length, 'byte')}</p>
    <div class="lines">${lines}</div>`;
}

function line(hex, owners, start, end, marked) {
  const bytes = [];
  for (let i = start; i < end; i++) {
    const owner = owners[i];
    const kind = owner ? `${owner.odd ? 'odd' : 'even'}${owner.name === marked ? ' marked' : ''}` : 'none';
    bytes.push(html`<span class="byte ${kind}" data-field=${owner?.name ?? nothing}>${hex.slice(2 * i, 2 * i + 2)}</span>`);
  }
  return html`<div class="line"><span class="offset">${start.toString(16).padStart(4, '0')}</span>${bytes}</div>`;
}
