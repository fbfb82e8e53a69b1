import { html } from 'lit-html';

const WIDTH = 240;
const HEIGHT = 44;
const POINTS = 120;

/** A column of seconds, two minutes at least, as a line with its area, the newest at the right. Its words are the caller's. */
export function sparkline(column) {
  const values = means(column);
  const most = Math.max(1, ...values.filter((value) => value !== null));
  const x = (i) => (((POINTS - values.length + i) / (POINTS - 1)) * WIDTH).toFixed(1);
  const y = (value) => (HEIGHT - 1 - (value / most) * (HEIGHT - 4)).toFixed(1);
  let line = '';
  let from = null;
  let area = '';
  values.forEach((value, i) => {
    if (value === null) {
      return;
    }
    const begins = i === 0 || values[i - 1] === null;
    from = begins ? i : from;
    line += `${begins ? 'M' : 'L'}${x(i)} ${y(value)}`;
    area += `${begins ? `M${x(i)} ${HEIGHT}` : ''}L${x(i)} ${y(value)}`;
    if (i === values.length - 1 || values[i + 1] === null) {
      area += `L${x(i)} ${HEIGHT}Z`;
    }
  });
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${area} /><path class="line" d=${line} vector-effect="non-scaling-stroke" />
  </svg>`;
}

function means(column) {
  const step = Math.max(1, column.length / POINTS);
  const found = [];
  for (let until = column.length; until > 0; until -= step) {
    const values = column.slice(Math.max(0, Math.round(until - step)), Math.round(until)).filter((v) => v !== null);
    found.unshift(values.length ? values.reduce((sum, v) => sum + v, 0) / values.length : null);
  }
  return found;
}
