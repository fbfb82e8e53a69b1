import { MapPainter } from './mappainter.js';
import { Outline } from './outline.js';

/** Pixels beside a circle that still mean it. */
const NEAR = 5;
const PAN = 60;
const ZOOM = 1.4;
/** How much of the cells on each side the first view leaves out: a few lie far from the city. */
const FAR_PART = 0.012;

/** A map that people move and point at, by pointer, touch and keys. */
export class MapCanvas {
  #canvas;
  #cells;
  #handlers;
  #camera;
  #painter;
  #pending = false;
  #hovered = null;
  #selected = null;
  #pointers = new Map();
  #moved = false;
  #observer;
  #retheme = () => {
    this.#painter.recolour();
    this.draw();
  };

  /**
   * Draws whenever it is told to, and whenever it was moved.
   *
   * @param canvas element that has its size by its style
   * @param cells what to draw
   * @param camera whose flat places cells and outline have
   * @param collection GeoJSON; null for none
   * @param handlers hover(cell or null, x, y) and select(cell or null), by pointer or key; moved() when places of cells
   *     on the screen have changed
   */
  constructor(canvas, cells, camera, collection, handlers) {
    this.#canvas = canvas;
    this.#cells = cells;
    this.#camera = camera;
    this.#handlers = handlers;
    const outline = collection && new Outline(collection, (x, y) => camera.place(x, y));
    this.#painter = new MapPainter(canvas, cells, camera, outline);
    const home = this.#home();
    camera.bound(home, home);
    this.#listen();
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
    addEventListener('theme', this.#retheme);
  }

  close() {
    this.#observer.disconnect();
    removeEventListener('theme', this.#retheme);
  }

  /** The cell that is looked at; null for none. */
  get selected() {
    return this.#selected;
  }

  /** Marks a cell, and brings it into sight. */
  select(cell) {
    this.#selected = cell;
    if (cell && !this.#camera.sees(cell.place)) {
      this.#camera.centre(cell.place);
      this.#handlers.moved();
    }
    this.draw();
  }

  /** The pixel of a cell. */
  pixel(cell) {
    return this.#camera.pixel(cell.place);
  }

  /** Zooms to the cell that is looked at, if it is in sight, else to the middle. */
  zoom(factor) {
    const cell = this.#selected;
    this.#camera.zoom(factor, ...(cell && this.#camera.sees(cell.place) ? this.pixel(cell) : []));
    this.#changed();
  }

  fit() {
    this.#camera.fit();
    this.#changed();
  }

  /** Draws soon, once for all that changed meanwhile. */
  draw() {
    if (!this.#pending) {
      this.#pending = true;
      requestAnimationFrame(() => {
        this.#pending = false;
        this.#painter.paint(this.#selected);
      });
    }
  }

  #home() {
    const xs = this.#cells.all.map(({ place }) => place[0]).sort((a, b) => a - b);
    const ys = this.#cells.all.map(({ place }) => place[1]).sort((a, b) => a - b);
    const far = Math.floor(xs.length * FAR_PART);
    const [left, right, top, bottom] = [xs[far], xs.at(-1 - far), ys[far], ys.at(-1 - far)];
    const margin = 0.06 * Math.max(right - left, bottom - top) || 0.01;
    return xs.length ? [left - margin, top - margin, right + margin, bottom + margin] : [-1, -1, 1, 1];
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#canvas;
    if (!clientWidth || !clientHeight) {
      return;
    }
    const first = this.#camera.width === 1;
    this.#canvas.width = clientWidth * devicePixelRatio;
    this.#canvas.height = clientHeight * devicePixelRatio;
    const kept = first ? null : this.#camera.magnification;
    this.#camera.resize(clientWidth, clientHeight);
    if (first) {
      this.#camera.fit();
    } else {
      this.#camera.zoom(kept / this.#camera.magnification);
    }
    this.#handlers.moved();
    this.#painter.paint(this.#selected);
  }

  #changed() {
    this.#handlers.moved();
    this.draw();
  }

  #listen() {
    const canvas = this.#canvas;
    const place = (event) => [event.offsetX, event.offsetY];
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.#camera.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), ...place(event));
        this.#changed();
      },
      { passive: false },
    );
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, place(event));
      this.#moved = this.#pointers.size > 1;
    });
    canvas.addEventListener('pointermove', (event) => this.#point(event, place(event)));
    canvas.addEventListener('pointerup', (event) => {
      if (this.#pointers.delete(event.pointerId) && !this.#moved) {
        this.#choose(this.#at(...place(event)));
      }
    });
    canvas.addEventListener('pointercancel', (event) => this.#pointers.delete(event.pointerId));
    canvas.addEventListener('pointerleave', () => this.#hover(null));
    canvas.addEventListener('keydown', (event) => this.#key(event));
  }

  /** One pointer that is down moves the map, two zoom it; else it only points. */
  #point(event, at) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      this.#hover(this.#at(...at), ...at);
      return;
    }
    const step = [at[0] - before[0], at[1] - before[1]];
    if (this.#pointers.size === 1 && !this.#moved && Math.hypot(...step) < 4) {
      return;
    }
    this.#moved = true;
    this.#hover(null);
    this.#pointers.set(event.pointerId, at);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
      this.#camera.zoom(apart(at) / apart(before), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
      this.#camera.pan(step[0] / 2, step[1] / 2);
    } else {
      this.#camera.pan(...step);
    }
    this.#changed();
  }

  #key(event) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (arrow && event.shiftKey) {
      this.#choose(this.#towards(arrow) ?? this.#selected);
    } else if (arrow) {
      this.#camera.pan(-arrow[0] * PAN, -arrow[1] * PAN);
      this.#changed();
    } else if (event.key === '+' || event.key === '=') {
      this.zoom(ZOOM);
    } else if (event.key === '-') {
      this.zoom(1 / ZOOM);
    } else if (event.key === '0' || event.key === 'Home') {
      this.fit();
    } else if (event.key === 'Escape' && this.#selected) {
      this.#choose(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The next cell in a direction from the one that is looked at, or from the middle of the screen. */
  #towards([right, down]) {
    const from = this.#selected?.place ?? [this.#camera.x, this.#camera.y];
    let best = null;
    let least = Infinity;
    for (const cell of this.#cells.all) {
      const along = (cell.place[0] - from[0]) * right + (cell.place[1] - from[1]) * down;
      const aside = Math.abs((cell.place[0] - from[0]) * down) + Math.abs((cell.place[1] - from[1]) * right);
      const cost = along + 2 * aside;
      if (along > 0 && aside <= along && cost < least) {
        [best, least] = [cell, cost];
      }
    }
    return best;
  }

  #choose(cell) {
    this.select(cell);
    this.#handlers.select(cell);
  }

  #hover(cell, x, y) {
    if (cell || this.#hovered) {
      this.#hovered = cell;
      this.#handlers.hover(cell, x, y);
    }
  }

  /** The cell at a pixel: the one whose edge is nearest. */
  #at(x, y) {
    let best = null;
    let least = NEAR;
    for (const cell of this.#cells.all) {
      const [cellX, cellY] = this.#camera.pixel(cell.place);
      const distance = Math.hypot(cellX - x, cellY - y) - this.#painter.radius(cell);
      if (distance < least) {
        [best, least] = [cell, distance];
      }
    }
    return best;
  }
}
