/** Shapes of a GeoJSON file as paths of a canvas, by kind. */
export class Outline {
  /** One path of all shapes for each kind: land, water, district, and line for all others. */
  paths = { land: new Path2D(), water: new Path2D(), district: new Path2D(), line: new Path2D() };
  /** Labels of shapes, the widest first: { kind, title, point, width } in projected coordinates. */
  labels = [];
  /** Bounding box [left, top, right, bottom] in projected coordinates. */
  box = [Infinity, Infinity, -Infinity, -Infinity];

  /**
   * @param collection a GeoJSON FeatureCollection
   * @param project returns the projected point of a longitude and latitude
   */
  constructor(collection, project) {
    for (const { properties, geometry } of collection.features) {
      const kind = properties.kind in this.paths ? properties.kind : 'line';
      const title = properties.title ?? properties.name;
      const shapes = this.#shapes(geometry, project);
      shapes.forEach((points) => this.#draw(this.paths[kind], points, geometry.type.endsWith('Polygon')));
      if (title && properties.kind !== 'land') {
        this.#addLabel(properties.kind, title, shapes);
      }
    }
    this.labels.sort((a, b) => b.width - a.width);
  }

  #shapes({ type, coordinates }, project) {
    const rings = { Point: [[coordinates]], LineString: [coordinates], MultiLineString: coordinates, Polygon: coordinates };
    return (type === 'MultiPolygon' ? coordinates.flat() : (rings[type] ?? [])).map((ring) => ring.map(([x, y]) => project(x, y)));
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

  /** Adds a label at the centroid of the largest shape. */
  #addLabel(kind, title, shapes) {
    const largest = shapes.map((points) => ({ points, ...centroid(points) })).sort((a, b) => b.area - a.area)[0];
    const xs = largest.points.map(([x]) => x);
    this.labels.push({ kind, title, point: largest.center, width: Math.max(...xs) - Math.min(...xs) });
  }
}

function centroid(points) {
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
  const center = area ? [originX + x / (3 * area), originY + y / (3 * area)] : [originX, originY];
  return { area: Math.abs(area), center };
}
