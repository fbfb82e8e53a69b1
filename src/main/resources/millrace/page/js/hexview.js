import { html, nothing } from 'lit-html';
import { value } from './format.js';

/**
 * A record's bytes in hex beside its fields. Pointing at a field, or going to it by the arrow keys, marks its bytes, and
 * pointing at a byte marks its field.
 */
export class HexView {
  #sample = null;
  #marked = null;
  #changed;

  /** @param changed called when another field is marked: draw again */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param sample what a tap sent; null for none */
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
        <div class="dump" role="group" tabindex="0" aria-label="Bytes of the record; the arrow keys go from field to field"
          @pointerover=${(event) => this.#mark(event.target.dataset?.field)} @keydown=${(event) => this.#press(event, fields)}>
          ${part('as it came', sample.bytes, sample.fields, this.#marked)}
          ${sample.added ? part('added by steps', sample.added.bytes, sample.added.fields, this.#marked) : nothing}
        </div>
        <div class="fields" role="listbox" tabindex="0" aria-label="Fields of the record"
          aria-activedescendant=${this.#marked ? `field-${this.#marked}` : nothing} @keydown=${(event) => this.#press(event, fields)}>
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

  #press(event, fields) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step && fields.length) {
      event.preventDefault();
      const at = fields.findIndex(({ name }) => name === this.#marked);
      const next = at < 0 ? 0 : (at + step + fields.length) % fields.length;
      this.#mark(fields[next].name);
    }
  }

  #mark(name) {
    if (name !== this.#marked && name !== undefined) {
      this.#marked = name;
      this.#changed();
    }
  }
}

function part(words, hex, fields, marked) {
  const count = hex.length / 2;
  const owners = Array(count).fill(null);
  fields.forEach(({ name, offset, length }, i) => owners.fill({ name, odd: i % 2 === 1 }, offset, offset + length));
  const lines = [];
  for (let from = 0; from < count; from += 16) {
    lines.push(line(hex, owners, from, Math.min(count, from + 16), marked));
  }
  return html`<p class="label">${words}, ${count} bytes</p>
    <div class="lines">${lines}</div>`;
}

function line(hex, owners, from, to, marked) {
  const bytes = [];
  for (let i = from; i < to; i++) {
    const owner = owners[i];
    const kind = owner ? `${owner.odd ? 'odd' : 'even'}${owner.name === marked ? ' marked' : ''}` : 'none';
    bytes.push(html`<span class="byte ${kind}" data-field=${owner?.name ?? nothing}>${hex.slice(2 * i, 2 * i + 2)}</span>`);
  }
  return html`<div class="line"><span class="offset">${from.toString(16).padStart(4, '0')}</span>${bytes}</div>`;
}
