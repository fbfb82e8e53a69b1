import { html, nothing } from 'lit-html';
import { countOf, value } from './format.js';

/** Further bytes are not shown. */
const BYTES_MAX = 4096;

/**
 * The bytes of a record in hexadecimal digits, next to its fields: a list, or a tree if groups and lists contain others.
 * Pointing at a field, or moving to it with the arrow keys, marks its bytes. Pointing at a byte marks its field.
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
    const fields = withLevels([...sample.fields, ...(sample.added?.fields ?? [])]);
    const nested = fields.some(({ level }) => level > 1);
    return html`
      <div class="hexview">
        <div class="dump" role="group" tabindex="0" aria-label="Bytes of the record. Use the arrow keys to move between fields."
          @pointerover=${(event) => this.#mark(event.target.dataset?.field)} @keydown=${(event) => this.#onKeydown(event, fields)}>
          ${part('As received', sample.bytes, sample.fields, this.#marked)}
          ${sample.added ? part('Added by steps', sample.added.bytes, sample.added.fields, this.#marked) : nothing}
        </div>
        <div class=${nested ? 'fields tree' : 'fields'} role=${nested ? 'tree' : 'listbox'} tabindex="0" aria-label="Fields of the record"
          aria-activedescendant=${this.#marked ? `field-${this.#marked}` : nothing} @keydown=${(event) => this.#onKeydown(event, fields)}>
          ${fields.map((field) => this.#field(field, sample, nested))}
        </div>
      </div>
    `;
  }

  #field({ name, label, level, offset, length }, { record }, nested) {
    const marked = name === this.#marked;
    return html`<div role=${nested ? 'treeitem' : 'option'} id="field-${name}" class=${marked ? 'marked' : ''}
      aria-level=${nested ? level : nothing} aria-selected=${marked} data-level=${Math.min(level, 8)}
      @pointerenter=${() => this.#mark(name)}>
      <span class="name">${label}</span><span class="value">${shown(valueAt(record, name))}</span>
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
      requestAnimationFrame(() => document.getElementById(`field-${this.#marked}`)?.scrollIntoView({ block: 'nearest' }));
    }
  }

  #mark(name) {
    if (name !== this.#marked && name !== undefined) {
      this.#marked = name;
      this.#onMark();
    }
  }
}

/** Returns fields with the level in the tree, from 1, and the part of the name that its parent does not have. */
function withLevels(fields) {
  const parents = [];
  return fields.map((field) => {
    const contains = (parent) => field.name.startsWith(`${parent}.`) || field.name.startsWith(`${parent}[`);
    while (parents.length && !contains(parents.at(-1))) {
      parents.pop();
    }
    const label = field.name.slice(parents.at(-1)?.length ?? 0).replace(/^\./, '');
    parents.push(field.name);
    return { ...field, label, level: parents.length };
  });
}

/** Returns the value at a path such as legs[0].rate. */
function valueAt(record, path) {
  return path in record ? record[path] : path.match(/[^.[\]]+/g).reduce((part, name) => part?.[name], record);
}

function shown(raw) {
  if (Array.isArray(raw)) {
    return countOf(raw.length, 'element');
  }
  return Object.getPrototypeOf(raw ?? 0) === Object.prototype ? '' : value(raw);
}

function part(title, hex, fields, marked) {
  const length = hex.length / 2;
  const range = fields.find(({ name }) => name === marked);
  const isMarked = (at) => range && at >= range.offset && at < range.offset + range.length;
  const owners = Array(length).fill(null);
  fields.forEach((field, i) =>
    owners.fill({ name: field.name, odd: i % 2 === 1 }, field.offset, field.offset + field.length),
  );
  const lines = [];
  for (let offset = 0; offset < Math.min(length, BYTES_MAX); offset += 16) {
    lines.push(line(hex, owners, offset, Math.min(length, offset + 16), isMarked));
  }
  return html`<p class="label">${title}, ${countOf(length, 'byte')}${length > BYTES_MAX ? `, the first ${countOf(BYTES_MAX, 'byte')}` : ''}</p>
    <div class="lines">${lines}</div>`;
}

function line(hex, owners, start, end, isMarked) {
  const bytes = [];
  for (let i = start; i < end; i++) {
    const owner = owners[i];
    const kind = `${owner ? (owner.odd ? 'odd' : 'even') : 'none'}${isMarked(i) ? ' marked' : ''}`;
    bytes.push(html`<span class="byte ${kind}" data-field=${owner?.name ?? nothing}>${hex.slice(2 * i, 2 * i + 2)}</span>`);
  }
  return html`<div class="line"><span class="offset">${start.toString(16).padStart(4, '0')}</span>${bytes}</div>`;
}
