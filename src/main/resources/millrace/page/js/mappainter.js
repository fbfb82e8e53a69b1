import { color } from './colors.js';

const RAMP = ['--map-ramp-0', '--map-ramp-1', '--map-ramp-2', '--map-ramp-3'];
const COLOURS = 32;
const RADIUS = 6;
const RADIUS_LEAST = 1;

/** Draws cells above an outline: a circle each, its area by one value and its colour by another. */
export class MapPainter {
  #canvas;
  #cells;
  #camera;
  #outline;
  #palette = null;

  /** @param outline null for none */
  constructor(canvas, cells, camera, outline) {
    this.#canvas = canvas;
    this.#cells = cells;
    this.#camera = camera;
    this.#outline = outline;
  }

  /** Takes the colours of the theme of now. */
  recolour() {
    this.#palette = null;
  }

  /** Of a cell's circle, in pixels: larger the nearer one looks, but not as fast as the land. */
  radius(cell) {
    const most = RADIUS * Math.max(1, this.#camera.magnification) ** 0.6 * Math.min(1, 0.5 + this.#camera.width / 1200);
    return Math.max(RADIUS_LEAST, most * Math.sqrt(this.#cells.part(cell)));
  }

  #colours() {
    const stops = RAMP.map((property) => color(property).match(/[\d.]+/g).map(Number));
    const ramp = Array.from({ length: COLOURS }, (_, i) => {
      const at = (i / (COLOURS - 1)) * (stops.length - 1);
      const from = Math.min(stops.length - 2, Math.floor(at));
      return `rgb(${[0, 1, 2].map((c) => Math.round(stops[from][c] + (stops[from + 1][c] - stops[from][c]) * (at - from))).join(' ')})`;
    });
    const names = ['sea', 'land', 'coast', 'border', 'text', 'sea-text', 'none', 'halo'];
    return { ramp, bad: color('--bad'), accent: color('--ink'), ...Object.fromEntries(names.map((name) => [name, color(`--map-${name}`)])) };
  }

  /** Draws all anew. @param selected cell that is looked at; null for none */
  paint(selected) {
    this.#palette ??= this.#colours();
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
      this.#paintNames(context);
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

  /** Colour by colour, the worst above all others. */
  #paintCells(context) {
    const groups = Array.from({ length: COLOURS + 1 }, () => new Path2D());
    for (const cell of this.#cells.all) {
      const [x, y] = this.#camera.pixel(cell.place);
      const level = this.#cells.level(cell);
      const radius = this.radius(cell);
      const path = groups[level === null ? 0 : 1 + Math.round(level * (COLOURS - 1))];
      path.moveTo(x + radius, y);
      path.arc(x, y, radius, 0, 2 * Math.PI);
    }
    groups.forEach((path, i) => {
      context.globalAlpha = i === 0 ? 0.5 : 0.62 + (0.33 * i) / COLOURS;
      context.fillStyle = i === 0 ? this.#palette.none : this.#palette.ramp[i - 1];
      context.fill(path);
    });
    context.globalAlpha = 1;
  }

  /** Names that have room, the largest first; none above another. */
  #paintNames(context) {
    const taken = [];
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (const { kind, title, place, width } of this.#outline.names) {
      const onSea = kind === 'sea';
      context.font = onSea ? 'italic 13px Georgia, serif' : '600 11px Inter, "Segoe UI", system-ui, sans-serif';
      const wide = context.measureText(title).width;
      const [x, y] = this.#camera.pixel(place);
      const box = [x - wide / 2 - 4, y - 9, x + wide / 2 + 4, y + 9];
      const seen = box[0] > 0 && box[1] > 0 && box[2] < this.#camera.width && box[3] < this.#camera.height;
      const free = taken.every((other) => box[0] > other[2] || box[2] < other[0] || box[1] > other[3] || box[3] < other[1]);
      if (seen && free && (onSea || wide < width * this.#camera.scale)) {
        taken.push(box);
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

  /** Rings and signs of cells with an alert, and a ring around the one that is looked at. */
  #paintMarks(context, selected) {
    for (const cell of this.#cells.all.filter(({ bad }) => bad)) {
      this.#ring(context, cell, 4, this.#palette.bad);
      const [x, y] = this.#camera.pixel(cell.place);
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

  #ring(context, cell, wider, stroke) {
    const [x, y] = this.#camera.pixel(cell.place);
    for (const [width, style] of [[5, this.#palette.halo], [2.5, stroke]]) {
      context.beginPath();
      context.arc(x, y, this.radius(cell) + wider, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = style;
      context.stroke();
    }
  }
}
