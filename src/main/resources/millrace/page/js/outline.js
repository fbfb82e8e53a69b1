/** Shapes of GeoJSON as paths of a canvas, kind by kind. */
export class Outline {
  /** Of each kind (land, water, district, and line for all others), one path of all its shapes. */
  paths = { land: new Path2D(), water: new Path2D(), district: new Path2D(), line: new Path2D() };
  /** What has a name, the largest first: { kind, title, place, width } with flat places and widths. */
  names = [];
  /** [left, top, right, bottom] of all, flat. */
  box = [Infinity, Infinity, -Infinity, -Infinity];

  /** @param collection a FeatureCollection @param flat gives the flat place of a longitude and latitude */
  constructor(collection, flat) {
    for (const { properties, geometry } of collection.features) {
      const kind = properties.kind in this.paths ? properties.kind : 'line';
      const title = properties.title ?? properties.name;
      const shapes = this.#shapes(geometry, flat);
      shapes.forEach((points) => this.#draw(this.paths[kind], points, geometry.type.endsWith('Polygon')));
      if (title && properties.kind !== 'land') {
        this.#name(properties.kind, title, shapes);
      }
    }
    this.names.sort((a, b) => b.width - a.width);
  }

  #shapes({ type, coordinates }, flat) {
    const rings = { Point: [[coordinates]], LineString: [coordinates], MultiLineString: coordinates, Polygon: coordinates };
    return (type === 'MultiPolygon' ? coordinates.flat() : (rings[type] ?? [])).map((ring) => ring.map(([x, y]) => flat(x, y)));
  }

  #draw(path, points, closed) {
    points.forEach(([x, y], i) => {
      path[i ? 'lineTo' : 'moveTo'](x, y);
      this.box = [Math.min(this.box[0], x), Math.min(this.box[1], y), Math.max(this.box[2], x), Math.max(this.box[3], y)];
    });
    if (closed) {
      path.closePath();
    }
  }

  /** In the middle of mass of the largest shape. */
  #name(kind, title, shapes) {
    const largest = shapes.map((points) => ({ points, ...middle(points) })).sort((a, b) => b.area - a.area)[0];
    const xs = largest.points.map(([x]) => x);
    this.names.push({ kind, title, place: largest.place, width: Math.max(...xs) - Math.min(...xs) });
  }
}

function middle(points) {
  const [originX, originY] = points[0];
  let area = 0;
  let x = 0;
  let y = 0;
  points.forEach(([ax, ay], i) => {
    const [bx, by] = points[(i + 1) % points.length];
    const cross = (ax - originX) * (by - originY) - (bx - originX) * (ay - originY);
    area += cross;
    x += (ax + bx - 2 * originX) * cross;
    y += (ay + by - 2 * originY) * cross;
  });
  const place = area ? [originX + x / (3 * area), originY + y / (3 * area)] : [originX, originY];
  return { area: Math.abs(area), place };
}
