/**
 * Where the parts of a pipeline are drawn. Coordinates are pixels.
 *
 * A node is { id, after, side }: after is the id of the one before it or null; one at the side has a row of its own, below
 * all others and at their end. What comes back:
 * nodes with x, y, width, height added, edges { from, to, path, labelX, labelY, anchor } and the size of the whole.
 */

const PITCH = 76;
const NODE_HEIGHT = 48;
const GAP_MIN = 50;
/** Where there is room for it, gaps are wider before boxes are. */
const GAP_ROOMY = 68;
const GAP_MAX = 110;
const WIDTH_MIN = 104;
const WIDTH_MAX = 140;
/** The narrowest drawing from left to right. */
const ACROSS_MIN = 720;
const INDENT = 26;
const DOWN_PITCH = 82;

/** From left to right if there is room for that, else from the top down. */
export function layout(nodes, available) {
  const children = new Map(nodes.map(({ id }) => [id, nodes.filter((node) => node.after === id && !node.side)]));
  const root = nodes.find((node) => node.after === null);
  return available < ACROSS_MIN ? down(nodes, children, root, available) : across(nodes, children, root, available);
}

function across(nodes, children, root, available) {
  const places = new Map();
  let leaves = 0;
  let columns = 0;
  const put = (node, column) => {
    columns = Math.max(columns, column + 1);
    const rows = children.get(node.id).map((child) => put(child, column + 1));
    const row = rows.length ? (rows[0] + rows.at(-1)) / 2 : leaves++;
    places.set(node.id, { column, row });
    return row;
  };
  put(root, 0);
  nodes.filter((node) => node.side).forEach((node) => places.set(node.id, { column: columns - 1, row: leaves++ }));
  const clamp = (least, most, value) => Math.min(most, Math.max(least, value));
  const width = clamp(WIDTH_MIN, WIDTH_MAX, (available - 2 - (columns - 1) * GAP_ROOMY) / columns);
  const gap = columns > 1 ? clamp(GAP_MIN, GAP_MAX, (available - 2 - columns * width) / (columns - 1)) : 0;
  const placed = new Map(
    nodes.map((node) => {
      const { column, row } = places.get(node.id);
      return [node.id, { ...node, x: column * (width + gap) + 1, y: row * PITCH + 24, width, height: NODE_HEIGHT }];
    }),
  );
  const edges = edgesOf(placed, (from, to) => {
    const [x1, y1, x2, y2] = [from.x + from.width, from.y + NODE_HEIGHT / 2, to.x, to.y + NODE_HEIGHT / 2];
    if (to.side) {
      const x = from.x + from.width / 2;
      return {
        path: `M${x} ${from.y + NODE_HEIGHT}V${y2 - 10}Q${x} ${y2} ${x + 10} ${y2}H${x2}`,
        labelX: x2 - 10,
        labelY: y2 - 8,
        anchor: 'end',
      };
    }
    const middle = (x1 + x2) / 2;
    return {
      path: y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`,
      labelX: y1 === y2 ? middle : x2 - 6,
      labelY: y2 > y1 ? y2 + 16 : y2 - 8,
      anchor: y1 === y2 ? 'middle' : 'end',
    };
  });
  const size = { width: columns * (width + gap) - gap + 2, height: (leaves - 1) * PITCH + NODE_HEIGHT + 28 };
  return { nodes: [...placed.values()], edges, ...size };
}

function down(nodes, children, root, available) {
  const placed = new Map();
  const put = (node, indent) => {
    const x = indent * INDENT + 1;
    const y = placed.size * DOWN_PITCH + 1;
    placed.set(node.id, { ...node, x, y, width: available - x - 1, height: NODE_HEIGHT });
    const next = children.get(node.id);
    next.forEach((child) => put(child, next.length > 1 ? indent + 1 : indent));
  };
  put(root, 0);
  nodes.filter((node) => node.side).forEach((node) => put(node, 0));
  const edges = edgesOf(placed, (from, to) => {
    if (to.side) {
      // A line of its own would run through all the others.
      return { path: '', labelX: to.x + INDENT / 2, labelY: to.y - 11, anchor: 'start' };
    }
    const x1 = from.x + INDENT / 2;
    const y1 = from.y + from.height;
    const branch = to.x > from.x;
    return {
      path: branch ? `M${x1} ${y1}V${to.y + to.height / 2}H${to.x}` : `M${x1} ${y1}V${to.y}`,
      labelX: (branch ? to.x : x1) + 10,
      labelY: to.y - 11,
      anchor: 'start',
    };
  });
  return { nodes: [...placed.values()], edges, width: available, height: placed.size * DOWN_PITCH - 32 };
}

function edgesOf(placed, draw) {
  return [...placed.values()]
    .filter((node) => node.after !== null)
    .map((node) => ({ from: node.after, to: node.id, ...draw(placed.get(node.after), node) }));
}
