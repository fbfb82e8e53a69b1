/** Quantile of sizes that has the largest circle: a single large value does not make all other circles tiny. */
const LARGEST_SIZE_QUANTILE = 0.98;

/** The places of a map, each with its values in the last window and whether its alert is raised. */
export class Cells {
  /** { key, label, point, row, size, colour, raised }. The row, size and colour are null if the window has none. */
  all;
  /** Start and end of the last window, null before the first. */
  window = null;
  /** Size of the largest circles since the map was opened. */
  largest = 1;
  #map;
  #byKey;

  /**
   * @param map response of GET /api/map
   * @param project returns the projected point of a longitude and latitude
   */
  constructor(map, project) {
    this.#map = map;
    this.all = map.places.map(({ key, label, latitude, longitude }) => ({
      key,
      label,
      point: project(longitude, latitude),
      row: null,
      size: null,
      colour: null,
      raised: false,
    }));
    this.#byKey = new Map(this.all.map((cell) => [cell.key, cell]));
  }

  /** Returns the cell of a row of the measure, undefined if the table has no place for it. */
  of(row) {
    return this.#byKey.get(String(row[this.#map.key]));
  }

  /** Shows a closed window. Returns false if it is not later than the last one. */
  update(window) {
    if (this.window && window.end <= this.window.end) {
      return false;
    }
    this.window = { start: window.start, end: window.end };
    this.all.forEach((cell) => Object.assign(cell, { row: null, size: null, colour: null }));
    for (const row of window.rows) {
      const cell = row.others ? undefined : this.of(row);
      if (cell) {
        Object.assign(cell, { row, size: row[this.#map.size], colour: row[this.#map.colour] });
      }
    }
    const sizes = this.all.map(({ size }) => size ?? 0).sort((a, b) => a - b);
    this.largest = Math.max(this.largest, sizes[Math.floor((sizes.length - 1) * LARGEST_SIZE_QUANTILE)] ?? 1);
    return true;
  }

  /** Returns the area of a circle relative to the largest circles, 0 to 1. */
  relativeSize({ size }) {
    return Math.min(1, Math.max(0, (size ?? 0) / this.largest));
  }

  /** Returns the position of a cell's colour between the map's low and high, 0 to 1; null if it has none. */
  level({ colour }) {
    const { low, high } = this.#map;
    return colour === null || colour === undefined ? null : Math.min(1, Math.max(0, (colour - low) / (high - low)));
  }
}
