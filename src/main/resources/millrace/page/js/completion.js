const SHOWN = 8;
const WORD = /[\p{L}_][\p{L}\p{N}_.]*$/u;

/**
 * Offers names for the word that is being written in an input: Tab or Enter takes the marked one, the arrow keys go to
 * others, Escape sends them away, Ctrl and space asks for all.
 *
 * @param input an input or a text area
 * @param names called for the names, as { name, type }
 */
export function complete(input, names) {
  const list = document.createElement('ul');
  list.className = 'completion';
  list.id = `${input.id}-names`;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Fields');
  list.hidden = true;
  input.after(list);
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  let found = [];
  let marked = 0;

  const hide = () => {
    found = [];
    show();
  };

  const show = () => {
    list.hidden = found.length === 0;
    list.replaceChildren(...found.map(option));
    if (found.length) {
      input.setAttribute('aria-activedescendant', `${list.id}-${marked}`);
      list.children[marked].scrollIntoView({ block: 'nearest' });
    } else {
      input.removeAttribute('aria-activedescendant');
    }
  };

  const option = ({ name, type }, i) => {
    const item = document.createElement('li');
    item.id = `${list.id}-${i}`;
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', String(i === marked));
    const of = document.createElement('span');
    of.className = 'note';
    of.textContent = type;
    item.append(name, of);
    // Before the input would lose the focus.
    item.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      take(i);
    });
    return item;
  };

  const take = (i) => {
    const { name } = found[i];
    const before = input.value.slice(0, input.selectionStart);
    const word = WORD.exec(before)?.[0] ?? '';
    input.setRangeText(name, before.length - word.length, input.selectionStart, 'end');
    hide();
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };

  const offer = (all) => {
    const before = input.value.slice(0, input.selectionStart);
    const word = (WORD.exec(before)?.[0] ?? '').toLowerCase();
    const inText = (before.match(/'/g) ?? []).length % 2 === 1;
    if (inText || (word === '' && !all)) {
      hide();
      return;
    }
    const starts = names().filter(({ name }) => name.toLowerCase().startsWith(word));
    const holds = names().filter(({ name }) => name.toLowerCase().includes(word) && !starts.some((of) => of.name === name));
    found = [...starts, ...holds].slice(0, all ? Infinity : SHOWN);
    if (found.length === 1 && found[0].name.toLowerCase() === word) {
      found = [];
    }
    marked = 0;
    show();
  };

  const press = (event) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      offer(true);
      return;
    }
    if (found.length === 0) {
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      marked = (marked + step + found.length) % found.length;
      show();
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      take(marked);
    } else if (event.key === 'Escape') {
      hide();
    } else {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  input.addEventListener('input', () => offer(false));
  input.addEventListener('keydown', press);
  input.addEventListener('blur', hide);
}
