const MATCHES_MAX = 8;
const WORD = /[\p{L}_][\p{L}\p{N}_.]*$/u;

/**
 * Completes names in an input: Tab or Enter accepts the active name, the arrow keys change it, Escape closes the list,
 * and Ctrl+Space lists all names.
 *
 * @param input an input or a text area
 * @param names returns the names, as { name, type }
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
  let matches = [];
  let active = 0;

  const hide = () => {
    matches = [];
    show();
  };

  const show = () => {
    list.hidden = matches.length === 0;
    list.replaceChildren(...matches.map(option));
    if (matches.length) {
      input.setAttribute('aria-activedescendant', `${list.id}-${active}`);
      list.children[active].scrollIntoView({ block: 'nearest' });
    } else {
      input.removeAttribute('aria-activedescendant');
    }
  };

  const option = ({ name, type }, i) => {
    const item = document.createElement('li');
    item.id = `${list.id}-${i}`;
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', String(i === active));
    const typeNote = document.createElement('span');
    typeNote.className = 'note';
    typeNote.textContent = type;
    item.append(name, typeNote);
    // On pointerdown, because a click would move the focus from the input.
    item.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      accept(i);
    });
    return item;
  };

  const accept = (i) => {
    const { name } = matches[i];
    const before = input.value.slice(0, input.selectionStart);
    const word = WORD.exec(before)?.[0] ?? '';
    input.setRangeText(name, before.length - word.length, input.selectionStart, 'end');
    hide();
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };

  const suggest = (all) => {
    const before = input.value.slice(0, input.selectionStart);
    const word = (WORD.exec(before)?.[0] ?? '').toLowerCase();
    const inLiteral = (before.match(/'/g) ?? []).length % 2 === 1;
    if (inLiteral || (word === '' && !all)) {
      hide();
      return;
    }
    const prefixMatches = names().filter(({ name }) => name.toLowerCase().startsWith(word));
    const otherMatches = names().filter(
      ({ name }) => name.toLowerCase().includes(word) && !prefixMatches.some((match) => match.name === name),
    );
    matches = [...prefixMatches, ...otherMatches].slice(0, all ? Infinity : MATCHES_MAX);
    if (matches.length === 1 && matches[0].name.toLowerCase() === word) {
      matches = [];
    }
    active = 0;
    show();
  };

  const onKeydown = (event) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      suggest(true);
      return;
    }
    if (matches.length === 0) {
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      active = (active + step + matches.length) % matches.length;
      show();
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      accept(active);
    } else if (event.key === 'Escape') {
      hide();
    } else {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  input.addEventListener('input', () => suggest(false));
  input.addEventListener('keydown', onKeydown);
  input.addEventListener('blur', hide);
}
