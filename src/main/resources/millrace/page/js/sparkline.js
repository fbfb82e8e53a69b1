import { html } from 'lit-html';

const WIDTH = 240;
const HEIGHT = 44;
const POINTS = 120;

/** A line chart of values per second, newest at the right. Hidden from screen readers: the caller provides the text. */
export function sparkline(column) {
  const values = downsample(column);
  const maximum = Math.max(1, ...values.filter((value) => value !== null));
  const x = (i) => (((POINTS - values.length + i) / (POINTS - 1)) * WIDTH).toFixed(1);
  const y = (value) => (HEIGHT - 1 - (value / maximum) * (HEIGHT - 4)).toFixed(1);
  let line = '';
  let area = '';
  values.forEach((value, i) => {
    if (value === null) {
      return;
    }
    const starts = i === 0 || values[i - 1] === null;
    line += `${starts ? 'M' : 'L'}${x(i)} ${y(value)}`;
    area += `${starts ? `M${x(i)} ${HEIGHT}` : ''}L${x(i)} ${y(value)}`;
    if (i === values.length - 1 || values[i + 1] === null) {
      area += `L${x(i)} ${HEIGHT}Z`;
    }
  });
  return html`<svg class="sparkline" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${area} /><path class="line" d=${line} vector-effect="non-scaling-stroke" />
  </svg>`;
}

function downsample(column) {
  const step = Math.max(1, column.length / POINTS);
  const averages = [];
  for (let until = column.length; until > 0; until -= step) {
    const values = column.slice(Math.max(0, Math.round(until - step)), Math.round(until)).filter((v) => v !== null);
    averages.unshift(values.length ? values.reduce((sum, v) => sum + v, 0) / values.length : null);
  }
  return averages;
}
