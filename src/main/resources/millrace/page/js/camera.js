/**
 * The visible section of a map. An equirectangular projection around a latitude, which is accurate enough for a city: x
 * grows to the east and y to the south, both in degrees of latitude.
 */
export class Camera {
  /** The projected point in the center, and pixels per degree: set by fit, pan and zoom. */
  x = 0;
  y = 0;
  scale = 1;
  width = 1;
  height = 1;
  #longitudeScale;
  #limits;
  #initialBox;

  /** @param latitude mean latitude of the places */
  constructor(latitude) {
    this.#longitudeScale = Math.cos((latitude * Math.PI) / 180);
  }

  /** Returns the projected point of coordinates in degrees. */
  project(longitude, latitude) {
    return [longitude * this.#longitudeScale, -latitude];
  }

  /**
   * @param initialBox box that is shown first, [left, top, right, bottom]
   * @param limits box that the center stays in
   */
  bound(initialBox, limits) {
    this.#initialBox = initialBox;
    this.#limits = limits;
  }

  resize(width, height) {
    [this.width, this.height] = [width, height];
  }

  /** Shows the whole initial box. */
  fit() {
    const [left, top, right, bottom] = this.#initialBox;
    this.scale = Math.min(this.width / (right - left), this.height / (bottom - top));
    [this.x, this.y] = [(left + right) / 2, (top + bottom) / 2];
  }

  /** The scale relative to that of {@link fit}. */
  get magnification() {
    const [left, top, right, bottom] = this.#initialBox;
    return this.scale / Math.min(this.width / (right - left), this.height / (bottom - top));
  }

  /** Moves the map by pixels. */
  pan(right, down) {
    this.#moveTo(this.x - right / this.scale, this.y - down / this.scale);
  }

  /** Zooms around a pixel, by default the center: its point stays at the same pixel. */
  zoom(factor, atX = this.width / 2, atY = this.height / 2) {
    const [x, y] = this.at(atX, atY);
    const target = this.magnification * factor;
    this.scale *= Math.min(40, Math.max(0.6, target)) / this.magnification;
    this.#moveTo(x - (atX - this.width / 2) / this.scale, y - (atY - this.height / 2) / this.scale);
  }

  /** Centers a projected point. */
  center([x, y]) {
    this.#moveTo(x, y);
  }

  /** Returns the projected point at a pixel. */
  at(pixelX, pixelY) {
    return [this.x + (pixelX - this.width / 2) / this.scale, this.y + (pixelY - this.height / 2) / this.scale];
  }

  /** Returns the pixel of a projected point. */
  pixel([x, y]) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
  }

  /** Returns whether a projected point is visible. */
  shows(point) {
    const [x, y] = this.pixel(point);
    return x >= 0 && y >= 0 && x <= this.width && y <= this.height;
  }

  #moveTo(x, y) {
    const [left, top, right, bottom] = this.#limits;
    this.x = Math.min(right, Math.max(left, x));
    this.y = Math.min(bottom, Math.max(top, y));
  }
}
