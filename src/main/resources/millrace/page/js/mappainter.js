import { color } from './colors.js';

const RAMP = ['--map-ramp-0', '--map-ramp-1', '--map-ramp-2', '--map-ramp-3'];
const RAMP_COLORS = 32;
const RADIUS_MAX = 6;
const RADIUS_MIN = 1;

/** Draws an outline and a circle for each cell: one value sets the area, another one the color. */
export class MapPainter {
  #canvas;
  #cells;
  #camera;
  #outline;
  #palette = null;

  /** @param outline outline below the cells, or null */
  constructor(canvas, cells, camera, outline) {
    this.#canvas = canvas;
    this.#cells = cells;
    this.#camera = camera;
    this.#outline = outline;
  }

  /** Applies the colors of the current theme to the next {@link paint}. */
  resetColors() {
    this.#palette = null;
  }

  /** Returns the radius of a cell's circle in pixels. It grows with the magnification, but slower than the outline. */
  radius(cell) {
    const largest = RADIUS_MAX * Math.max(1, this.#camera.magnification) ** 0.6 * Math.min(1, 0.5 + this.#camera.width / 1200);
    return Math.max(RADIUS_MIN, largest * Math.sqrt(this.#cells.relativeSize(cell)));
  }

  #colors() {
    const stops = RAMP.map((property) => color(property).match(/[\d.]+/g).map(Number));
    const ramp = Array.from({ length: RAMP_COLORS }, (_, i) => {
      const position = (i / (RAMP_COLORS - 1)) * (stops.length - 1);
      const stop = Math.min(stops.length - 2, Math.floor(position));
      return `rgb(${[0, 1, 2].map((c) => Math.round(stops[stop][c] + (stops[stop + 1][c] - stops[stop][c]) * (position - stop))).join(' ')})`;
    });
    const names = ['sea', 'land', 'coast', 'border', 'text', 'sea-text', 'none', 'halo'];
    return { ramp, bad: color('--bad'), accent: color('--ink'), ...Object.fromEntries(names.map((name) => [name, color(`--map-${name}`)])) };
  }

  /** Draws the map. @param selected selected cell, or null */
  paint(selected) {
    this.#palette ??= this.#colors();
    const context = this.#canvas.getContext('2d');
    const ratio = this.#canvas.width / this.#camera.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.#outline ? this.#palette.sea : this.#palette.land;
    context.fillRect(0, 0, this.#camera.width, this.#camera.height);
    if (this.#outline) {
      this.#paintOutline(context, ratio);
    }
    this.#paintCells(context);
    if (this.#outline) {
      this.#paintLabels(context);
    }
    this.#paintMarks(context, selected);
  }

  #paintOutline(context, ratio) {
    const { x, y, scale, width, height } = this.#camera;
    const { land, water, district, line } = this.#outline.paths;
    const { sea, land: ground, coast, border } = this.#palette;
    context.save();
    context.transform(scale, 0, 0, scale, width / 2 - x * scale, height / 2 - y * scale);
    context.lineJoin = 'round';
    context.fillStyle = ground;
    context.fill(land);
    context.strokeStyle = border;
    context.lineWidth = 1 / scale;
    context.stroke(district);
    context.stroke(line);
    context.fillStyle = sea;
    context.fill(water);
    context.strokeStyle = coast;
    context.lineWidth = Math.max(1, 1 / ratio) / scale;
    context.stroke(water);
    context.lineWidth = 1.4 / scale;
    context.stroke(land);
    context.restore();
  }

  /** Draws the circles by color, the highest level last. */
  #paintCells(context) {
    const groups = Array.from({ length: RAMP_COLORS + 1 }, () => new Path2D());
    for (const cell of this.#cells.all) {
      const [x, y] = this.#camera.pixel(cell.point);
      const level = this.#cells.level(cell);
      const radius = this.radius(cell);
      const path = groups[level === null ? 0 : 1 + Math.round(level * (RAMP_COLORS - 1))];
      path.moveTo(x + radius, y);
      path.arc(x, y, radius, 0, 2 * Math.PI);
    }
    groups.forEach((path, i) => {
      context.globalAlpha = i === 0 ? 0.5 : 0.62 + (0.33 * i) / RAMP_COLORS;
      context.fillStyle = i === 0 ? this.#palette.none : this.#palette.ramp[i - 1];
      context.fill(path);
    });
    context.globalAlpha = 1;
  }

  /** Draws the labels that fit, the widest first, without overlaps. */
  #paintLabels(context) {
    const occupied = [];
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (const { kind, title, point, width } of this.#outline.labels) {
      const onSea = kind === 'sea';
      context.font = onSea ? 'italic 13px Georgia, serif' : '600 11px Inter, "Segoe UI", system-ui, sans-serif';
      const textWidth = context.measureText(title).width;
      const [x, y] = this.#camera.pixel(point);
      const box = [x - textWidth / 2 - 4, y - 9, x + textWidth / 2 + 4, y + 9];
      const visible = box[0] > 0 && box[1] > 0 && box[2] < this.#camera.width && box[3] < this.#camera.height;
      const free = occupied.every((other) => box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1]);
      if (visible && free && (onSea || textWidth < width * this.#camera.scale)) {
        occupied.push(box);
        if (!onSea) {
          context.strokeStyle = this.#palette.halo;
          context.lineWidth = 3;
          context.strokeText(title, x, y);
        }
        context.fillStyle = onSea ? this.#palette['sea-text'] : this.#palette.text;
        context.fillText(title, x, y);
      }
    }
  }

  /** Draws rings and signs of cells whose alert is raised, and a ring around the selected cell. */
  #paintMarks(context, selected) {
    for (const cell of this.#cells.all.filter(({ raised }) => raised)) {
      this.#ring(context, cell, 4, this.#palette.bad);
      const [x, y] = this.#camera.pixel(cell.point);
      const top = y - this.radius(cell) - 9;
      context.beginPath();
      context.moveTo(x, top - 11);
      context.lineTo(x + 7, top);
      context.lineTo(x - 7, top);
      context.closePath();
      context.strokeStyle = this.#palette.halo;
      context.lineWidth = 3;
      context.stroke();
      context.fillStyle = this.#palette.bad;
      context.fill();
    }
    if (selected) {
      this.#ring(context, selected, 7, this.#palette.accent);
    }
  }

  #ring(context, cell, distance, stroke) {
    const [x, y] = this.#camera.pixel(cell.point);
    for (const [width, style] of [[5, this.#palette.halo], [2.5, stroke]]) {
      context.beginPath();
      context.arc(x, y, this.radius(cell) + distance, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = style;
      context.stroke();
    }
  }
}
