import { MapPainter } from './mappainter.js';
import { Outline } from './outline.js';

/** Maximum distance in pixels between the pointer and the edge of a circle that it points at. */
const POINTER_TOLERANCE = 5;
/** Pixels that an arrow key moves the map. */
const PAN = 60;
/** Factor by which the keys + and - zoom. */
const ZOOM = 1.4;
/** Share of the cells on each side that the initial view leaves out, because a few may be far away. */
const OUTLIER_SHARE = 0.012;

/** A map that is controlled by pointer, touch and keys. */
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
  #onTheme = () => {
    this.#painter.resetColors();
    this.draw();
  };

  /**
   * Draws on {@link draw} and when the map is moved.
   *
   * @param canvas canvas whose size is set by its style
   * @param cells cells to draw
   * @param camera projection and visible section
   * @param collection GeoJSON of the outline, or null
   * @param handlers hover(cell or null, x, y) and select(cell or null) are called for the pointer and keys, moved()
   *     when the pixels of cells have changed
   */
  constructor(canvas, cells, camera, collection, handlers) {
    this.#canvas = canvas;
    this.#cells = cells;
    this.#camera = camera;
    this.#handlers = handlers;
    const outline = collection && new Outline(collection, (longitude, latitude) => camera.project(longitude, latitude));
    this.#painter = new MapPainter(canvas, cells, camera, outline);
    const box = this.#initialBox();
    camera.bound(box, box);
    this.#listen();
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
    addEventListener('theme', this.#onTheme);
  }

  close() {
    this.#observer.disconnect();
    removeEventListener('theme', this.#onTheme);
  }

  /** The selected cell, or null. */
  get selected() {
    return this.#selected;
  }

  /** Selects a cell and centers it if it is not visible. */
  select(cell) {
    this.#selected = cell;
    if (cell && !this.#camera.shows(cell.point)) {
      this.#camera.center(cell.point);
      this.#handlers.moved();
    }
    this.draw();
  }

  /** Returns the pixel of a cell. */
  pixel(cell) {
    return this.#camera.pixel(cell.point);
  }

  /** Zooms around the selected cell if it is visible, else around the center. */
  zoom(factor) {
    const cell = this.#selected;
    this.#camera.zoom(factor, ...(cell && this.#camera.shows(cell.point) ? this.pixel(cell) : []));
    this.#changed();
  }

  fit() {
    this.#camera.fit();
    this.#changed();
  }

  /** Draws the map in the next animation frame, once for all changes until then. */
  draw() {
    if (!this.#pending) {
      this.#pending = true;
      requestAnimationFrame(() => {
        this.#pending = false;
        this.#painter.paint(this.#selected);
      });
    }
  }

  #initialBox() {
    const xs = this.#cells.all.map(({ point }) => point[0]).sort((a, b) => a - b);
    const ys = this.#cells.all.map(({ point }) => point[1]).sort((a, b) => a - b);
    const outliers = Math.floor(xs.length * OUTLIER_SHARE);
    const [left, right, top, bottom] = [xs[outliers], xs.at(-1 - outliers), ys[outliers], ys.at(-1 - outliers)];
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
    const magnification = first ? null : this.#camera.magnification;
    this.#camera.resize(clientWidth, clientHeight);
    if (first) {
      this.#camera.fit();
    } else {
      this.#camera.zoom(magnification / this.#camera.magnification);
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
    const pixelOf = (event) => [event.offsetX, event.offsetY];
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.#camera.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), ...pixelOf(event));
        this.#changed();
      },
      { passive: false },
    );
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, pixelOf(event));
      this.#moved = this.#pointers.size > 1;
    });
    canvas.addEventListener('pointermove', (event) => this.#onPointer(event, pixelOf(event)));
    canvas.addEventListener('pointerup', (event) => {
      if (this.#pointers.delete(event.pointerId) && !this.#moved) {
        this.#selectAndReport(this.#at(...pixelOf(event)));
      }
    });
    canvas.addEventListener('pointercancel', (event) => this.#pointers.delete(event.pointerId));
    canvas.addEventListener('pointerleave', () => this.#hover(null));
    canvas.addEventListener('keydown', (event) => this.#onKeydown(event));
  }

  /** Moves the map with one pressed pointer, zooms it with two, and points at cells with none. */
  #onPointer(event, pixel) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      this.#hover(this.#at(...pixel), ...pixel);
      return;
    }
    const step = [pixel[0] - before[0], pixel[1] - before[1]];
    if (this.#pointers.size === 1 && !this.#moved && Math.hypot(...step) < 4) {
      return;
    }
    this.#moved = true;
    this.#hover(null);
    this.#pointers.set(event.pointerId, pixel);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const distance = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
      this.#camera.zoom(distance(pixel) / distance(before), (pixel[0] + other[0]) / 2, (pixel[1] + other[1]) / 2);
      this.#camera.pan(step[0] / 2, step[1] / 2);
    } else {
      this.#camera.pan(...step);
    }
    this.#changed();
  }

  #onKeydown(event) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (arrow && event.shiftKey) {
      this.#selectAndReport(this.#nextCell(arrow) ?? this.#selected);
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
      this.#selectAndReport(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Returns the nearest cell in a direction from the selected cell or the center, null if there is none. */
  #nextCell([right, down]) {
    const origin = this.#selected?.point ?? [this.#camera.x, this.#camera.y];
    let nearest = null;
    let leastCost = Infinity;
    for (const cell of this.#cells.all) {
      const along = (cell.point[0] - origin[0]) * right + (cell.point[1] - origin[1]) * down;
      const across = Math.abs((cell.point[0] - origin[0]) * down) + Math.abs((cell.point[1] - origin[1]) * right);
      const cost = along + 2 * across;
      if (along > 0 && across <= along && cost < leastCost) {
        [nearest, leastCost] = [cell, cost];
      }
    }
    return nearest;
  }

  #selectAndReport(cell) {
    this.select(cell);
    this.#handlers.select(cell);
  }

  #hover(cell, x, y) {
    if (cell || this.#hovered) {
      this.#hovered = cell;
      this.#handlers.hover(cell, x, y);
    }
  }

  /** Returns the cell whose edge is nearest to a pixel, null if none is near. */
  #at(x, y) {
    let nearest = null;
    let leastDistance = POINTER_TOLERANCE;
    for (const cell of this.#cells.all) {
      const [cellX, cellY] = this.#camera.pixel(cell.point);
      const distance = Math.hypot(cellX - x, cellY - y) - this.#painter.radius(cell);
      if (distance < leastDistance) {
        [nearest, leastDistance] = [cell, distance];
      }
    }
    return nearest;
  }
}
