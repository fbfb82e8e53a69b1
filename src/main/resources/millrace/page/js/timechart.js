import 'chart.js';
import { color } from './colors.js';
import { timeOfTick } from './format.js';

const { Chart } = globalThis;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Distances between ticks of the time axis in milliseconds. */
const STEPS = [SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR];
const TICK_WIDTH = 58;
/** The axes of all charts have the same width, so that their time axes are aligned. */
const axisWidth = (scale) => (scale.width = scale.chart.width < 480 ? 46 : 64);
/** More points than this are not distinguishable on a screen and only slow the chart down. */
const POINTS_MAX = 300;

/** Returns a column of the history as points. Adjacent values are averaged if there are too many. */
export function points(times, column) {
  const step = Math.max(1, Math.ceil(times.length / POINTS_MAX));
  const averages = [];
  for (let start = 0; start < times.length; start += step) {
    const values = column.slice(start, start + step).filter((value) => value !== null);
    const mean = values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
    averages.push({ x: times[Math.min(start + step, times.length) - 1], y: mean });
  }
  return averages;
}

/** Draws a line at the time of the cursor, in all charts that share the cursor. */
const cursorLine = {
  id: 'cursor',
  afterDatasetsDraw(chart) {
    const at = chart.options.cursor.time;
    if (at !== null) {
      const x = chart.scales.x.getPixelForValue(at);
      const { top, bottom, left, right } = chart.chartArea;
      if (x >= left && x <= right) {
        chart.ctx.save();
        chart.ctx.strokeStyle = color('--rule-strong');
        chart.ctx.setLineDash([3, 3]);
        chart.ctx.beginPath();
        chart.ctx.moveTo(x, top);
        chart.ctx.lineTo(x, bottom);
        chart.ctx.stroke();
        chart.ctx.restore();
      }
    }
  },
};

/** A chart of lines and bars over time, with a left axis and optionally a right one. */
export class TimeChart {
  #chart;
  #theme = () => this.#paint();

  /**
   * Creates an empty chart. {@link show} draws data.
   *
   * @param canvas canvas to draw on
   * @param cursor { time } in epoch milliseconds, shared by charts; its time is null without a cursor
   * @param axes left and right: { format, suggestedMax, headroom }: the format of values, the value that the axis reaches
   *     at least, and the factor by which the axis is longer than its largest value; reserveRight: whether to leave the
   *     space of a right axis empty
   */
  constructor(canvas, cursor, { left, right, reserveRight }) {
    const axis = (position, { format, suggestedMax = 1, headroom = 1 }) => ({
      type: 'linear',
      position,
      beginAtZero: true,
      suggestedMax,
      afterDataLimits: (scale) => (scale.max *= headroom),
      border: { display: false },
      grid: { drawOnChartArea: position === 'left', drawTicks: false },
      ticks: { callback: (value) => format(value), maxTicksLimit: 5, padding: 8 },
      afterFit: axisWidth,
    });
    const empty = {
      position: 'right',
      ticks: { display: false },
      grid: { display: false },
      border: { display: false },
      afterFit: axisWidth,
    };
    this.#chart = new Chart(canvas, {
      type: 'line',
      data: { datasets: [] },
      plugins: [cursorLine],
      options: {
        cursor,
        animation: false,
        parsing: false,
        normalized: true,
        responsive: true,
        maintainAspectRatio: false,
        events: [],
        elements: { line: { borderWidth: 1.75, borderJoinStyle: 'round' } },
        plugins: { legend: { display: false }, tooltip: { enabled: false } },
        scales: {
          x: {
            type: 'linear',
            border: { display: false },
            grid: { drawTicks: false },
            ticks: { callback: (value, i, ticks) => timeOfTick(value, ticks[1]?.value - ticks[0].value), maxRotation: 0, padding: 6 },
            afterBuildTicks: (scale) => (scale.ticks = ticks(scale.min, scale.max, scale.width)),
          },
          left: axis('left', left),
          ...(right && { right: axis('right', right) }),
          ...(reserveRight && { reserved: empty }),
        },
      },
    });
    addEventListener('theme', this.#theme);
    this.#paint();
  }

  /**
   * Shows data of a time range.
   *
   * @param startTime epoch milliseconds
   * @param endTime epoch milliseconds
   * @param series list of { data, property, dash, bars, points, axis }: the points, the custom property of the color,
   *     the dashes of the line, whether to draw bars, whether to mark the points of the line, and the axis: left or right
   */
  show(startTime, endTime, series) {
    this.#chart.options.scales.x.min = startTime;
    this.#chart.options.scales.x.max = endTime;
    this.#chart.data.datasets = series.map(({ data, property, dash = [], bars, points: marked, axis = 'left' }) => ({
      type: bars ? 'bar' : 'line',
      data,
      property,
      borderDash: dash,
      yAxisID: axis,
      pointRadius: marked ? 2.5 : 0,
      barThickness: 2,
      minBarLength: 3,
      order: bars ? 1 : 0,
    }));
    this.#paint();
  }

  /** Returns the time at a horizontal position of the viewport, null outside of the chart. */
  timeAt(clientX) {
    const { left, right } = this.#chart.chartArea;
    const x = clientX - this.#chart.canvas.getBoundingClientRect().left;
    return x < left || x > right ? null : this.#chart.scales.x.getValueForPixel(x);
  }

  destroy() {
    removeEventListener('theme', this.#theme);
    this.#chart.destroy();
  }

  #paint() {
    for (const dataset of this.#chart.data.datasets) {
      const lineColor = color(dataset.property);
      dataset.borderColor = lineColor;
      dataset.backgroundColor = lineColor;
    }
    const font = getComputedStyle(document.body).fontFamily;
    for (const scale of Object.values(this.#chart.options.scales)) {
      scale.grid.color = color('--rule');
      scale.ticks.color = color('--ink-2');
      scale.ticks.font = { size: 11, family: font };
    }
    this.#chart.update('none');
  }
}

function ticks(startTime, endTime, width) {
  const step = STEPS.find((millis) => ((endTime - startTime) / millis) * TICK_WIDTH <= width) ?? STEPS.at(-1);
  const values = [];
  for (let time = Math.ceil(startTime / step) * step; time <= endTime; time += step) {
    values.push({ value: time });
  }
  return values;
}
