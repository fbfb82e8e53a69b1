/**
 * Where a map looks. The earth is taken as flat around a latitude, which does for a city: x grows to the east and y to the
 * south, both in degrees of latitude.
 */
export class Camera {
  /** Degrees on the screen, pixels for each: set by fit, pan and zoom. */
  x = 0;
  y = 0;
  scale = 1;
  width = 1;
  height = 1;
  #narrowing;
  #limits;
  #home;

  /** @param latitude the mean one of what is shown */
  constructor(latitude) {
    this.#narrowing = Math.cos((latitude * Math.PI) / 180);
  }

  /** The flat place of a place on earth. */
  place(longitude, latitude) {
    return [longitude * this.#narrowing, -latitude];
  }

  /** @param home the box to look at first, @param limits that to stay in: each [left, top, right, bottom] */
  bound(home, limits) {
    this.#home = home;
    this.#limits = limits;
  }

  resize(width, height) {
    [this.width, this.height] = [width, height];
  }

  /** Shows all of home. */
  fit() {
    const [left, top, right, bottom] = this.#home;
    this.scale = Math.min(this.width / (right - left), this.height / (bottom - top));
    [this.x, this.y] = [(left + right) / 2, (top + bottom) / 2];
  }

  /** How many times as large as at first everything is. */
  get magnification() {
    const [left, top, right, bottom] = this.#home;
    return this.scale / Math.min(this.width / (right - left), this.height / (bottom - top));
  }

  /** Moves what is seen by pixels. */
  pan(right, down) {
    this.#look(this.x - right / this.scale, this.y - down / this.scale);
  }

  /** Zooms; what is at that pixel, the middle if none is given, stays there. */
  zoom(factor, atX = this.width / 2, atY = this.height / 2) {
    const [x, y] = this.at(atX, atY);
    const wanted = this.magnification * factor;
    this.scale *= Math.min(40, Math.max(0.6, wanted)) / this.magnification;
    this.#look(x - (atX - this.width / 2) / this.scale, y - (atY - this.height / 2) / this.scale);
  }

  /** Brings a flat place to the middle. */
  centre([x, y]) {
    this.#look(x, y);
  }

  /** The flat place at a pixel. */
  at(pixelX, pixelY) {
    return [this.x + (pixelX - this.width / 2) / this.scale, this.y + (pixelY - this.height / 2) / this.scale];
  }

  /** The pixel of a flat place. */
  pixel([x, y]) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
  }

  /** Whether a flat place is to be seen. */
  sees(place) {
    const [x, y] = this.pixel(place);
    return x >= 0 && y >= 0 && x <= this.width && y <= this.height;
  }

  #look(x, y) {
    const [left, top, right, bottom] = this.#limits;
    this.x = Math.min(right, Math.max(left, x));
    this.y = Math.min(bottom, Math.max(top, y));
  }
}
