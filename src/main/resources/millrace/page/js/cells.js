/** The part of all cells whose traffic is less than that of the largest circles: one busy cell does not make all others dots. */
const FULL_SIZE_PART = 0.98;

/** What is known of each place of a map: its figures in the last window, and whether an alert stands. */
export class Cells {
  /** { key, label, place, row, size, colour, bad }, size and colour null where the window tells none. */
  all;
  /** The last window: start, end; null before the first. */
  window = null;
  /** Size of the largest circles, so far. */
  largest = 1;
  #map;
  #byKey;

  /** @param map what GET /api/map told @param flat gives the flat place of a longitude and latitude */
  constructor(map, flat) {
    this.#map = map;
    this.all = map.places.map(({ key, label, latitude, longitude }) => ({
      key,
      label,
      place: flat(longitude, latitude),
      row: null,
      size: null,
      colour: null,
      bad: false,
    }));
    this.#byKey = new Map(this.all.map((cell) => [cell.key, cell]));
  }

  /** The cell that a row of the measure is of; undefined where it has no place. */
  of(row) {
    return this.#byKey.get(String(row[this.#map.key]));
  }

  /** Takes a closed window, if it is later than the last. */
  take(window) {
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
    this.largest = Math.max(this.largest, sizes[Math.floor((sizes.length - 1) * FULL_SIZE_PART)] ?? 1);
    return true;
  }

  /** How large a circle's area is beside the largest ones, 0 to 1. */
  part({ size }) {
    return Math.min(1, Math.max(0, (size ?? 0) / this.largest));
  }

  /** Where between the map's low and high a cell's colour is, 0 to 1; null where there is none. */
  level({ colour }) {
    const { low, high } = this.#map;
    return colour === null || colour === undefined ? null : Math.min(1, Math.max(0, (colour - low) / (high - low)));
  }
}
