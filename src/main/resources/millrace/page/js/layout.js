/**
 * The layout of a pipeline's graph, in pixels.
 *
 * A node is { id, after, side }: after is the id of the previous node, or null. A node with side has a row of its own,
 * below all others, in the last column. The result has the nodes with x, y, width and height, edges { from, to, path,
 * labelX, labelY, anchor }, and the width and height of the graph.
 */

const PITCH = 76;
const NODE_HEIGHT = 48;
const GAP_MIN = 50;
/** Gaps grow up to this width before nodes grow. */
const GAP_PREFERRED = 68;
const GAP_MAX = 110;
const WIDTH_MIN = 104;
const WIDTH_MAX = 140;
/** Minimum width of a graph from left to right. */
const ACROSS_MIN = 720;
const INDENT = 26;
const DOWN_PITCH = 82;

/** Lays nodes out from left to right, or from top to bottom if the available width is too small. */
export function layout(nodes, available) {
  const children = new Map(nodes.map(({ id }) => [id, nodes.filter((node) => node.after === id && !node.side)]));
  const root = nodes.find((node) => node.after === null);
  return available < ACROSS_MIN ? down(nodes, children, root, available) : across(nodes, children, root, available);
}

function across(nodes, children, root, available) {
  const places = new Map();
  let leaves = 0;
  let columns = 0;
  const place = (node, column) => {
    columns = Math.max(columns, column + 1);
    const rows = children.get(node.id).map((child) => place(child, column + 1));
    const row = rows.length ? (rows[0] + rows.at(-1)) / 2 : leaves++;
    places.set(node.id, { column, row });
    return row;
  };
  place(root, 0);
  nodes.filter((node) => node.side).forEach((node) => places.set(node.id, { column: columns - 1, row: leaves++ }));
  const clamp = (minimum, maximum, value) => Math.min(maximum, Math.max(minimum, value));
  const width = clamp(WIDTH_MIN, WIDTH_MAX, (available - 2 - (columns - 1) * GAP_PREFERRED) / columns);
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
  const place = (node, indent) => {
    const x = indent * INDENT + 1;
    const y = placed.size * DOWN_PITCH + 1;
    placed.set(node.id, { ...node, x, y, width: available - x - 1, height: NODE_HEIGHT });
    const next = children.get(node.id);
    next.forEach((child) => place(child, next.length > 1 ? indent + 1 : indent));
  };
  place(root, 0);
  nodes.filter((node) => node.side).forEach((node) => place(node, 0));
  const edges = edgesOf(placed, (from, to) => {
    if (to.side) {
      // A line to this node would cross the other nodes.
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
