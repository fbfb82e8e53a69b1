const WIDTH = 64;

/** Splits the typed form of an expression, such as (and (ne a 1) (gt b 2)), into indented lines if it is long. */
export function indented(form) {
  return lines(parse(form.match(/\(|\)|[^\s()]+/g) ?? []), '');
}

/** Returns nested arrays of tokens. */
function parse(tokens) {
  const stack = [[]];
  for (const token of tokens) {
    if (token === '(') {
      stack.push([]);
    } else if (token === ')' && stack.length > 1) {
      const list = stack.pop();
      stack.at(-1).push(list);
    } else {
      stack.at(-1).push(token);
    }
  }
  return stack.flat().length === 1 ? stack[0][0] : stack[0];
}

function flat(part) {
  return Array.isArray(part) ? `(${part.map(flat).join(' ')})` : part;
}

function lines(part, indent) {
  const line = flat(part);
  if (!Array.isArray(part) || indent.length + line.length <= WIDTH) {
    return indent + line;
  }
  const [head, ...rest] = part;
  const inner = `${indent}  `;
  return `${indent}(${flat(head)}\n${rest.map((child) => lines(child, inner)).join('\n')})`;
}
