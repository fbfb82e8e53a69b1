import 'chart.js';
import { color } from './colors.js';
import { timeOfTick } from './format.js';

const { Chart } = globalThis;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Distances between the ticks of an axis of time. */
const STEPS = [SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 3 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR];
const TICK_WIDTH = 58;
/** Axes of all charts are as wide, so that their times lie above one another. */
const axisWidth = (scale) => (scale.width = scale.chart.width < 480 ? 46 : 64);
/** What a screen can show of fifteen minutes; more points only cost time. */
const POINTS_MAX = 300;

/** A column of the history as points; of many, the means of neighbours. */
export function points(times, column) {
  const step = Math.max(1, Math.ceil(times.length / POINTS_MAX));
  const found = [];
  for (let from = 0; from < times.length; from += step) {
    const values = column.slice(from, from + step).filter((value) => value !== null);
    const mean = values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
    found.push({ x: times[Math.min(from + step, times.length) - 1], y: mean });
  }
  return found;
}

/** A line through the time that the pointer, or an arrow key, is at: in all charts that share the cursor. */
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

/** Lines and bars over time, with a left and, if need be, a right axis. */
export class TimeChart {
  #chart;
  #theme = () => this.#paint();

  /**
   * Draws nothing until {@link show}.
   *
   * @param canvas to draw on
   * @param cursor shared by charts: { time }, null where there is none
   * @param axes left and right: { format, most, room }: how values are written, what the axis has room for at least, and
   *     how much room it has in multiples of the largest value; spare, whether there is room where a right one would be
   */
  constructor(canvas, cursor, { left, right, spare }) {
    const axis = (position, { format, most = 1, room = 1 }) => ({
      type: 'linear',
      position,
      beginAtZero: true,
      suggestedMax: most,
      afterDataLimits: (scale) => (scale.max *= room),
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
          ...(spare && { spare: empty }),
        },
      },
    });
    addEventListener('theme', this.#theme);
    this.#paint();
  }

  /**
   * Shows data of a stretch of time.
   *
   * @param from epoch milliseconds
   * @param until epoch milliseconds
   * @param series of { data, property, dash, bars, points, axis }: data, the colour's custom property, the line's dashes,
   *     whether they are bars or the line shows its points, and left or right
   */
  show(from, until, series) {
    this.#chart.options.scales.x.min = from;
    this.#chart.options.scales.x.max = until;
    this.#chart.data.datasets = series.map(({ data, property, dash = [], bars, points: shown, axis = 'left' }) => ({
      type: bars ? 'bar' : 'line',
      data,
      property,
      borderDash: dash,
      yAxisID: axis,
      pointRadius: shown ? 2.5 : 0,
      barThickness: 2,
      minBarLength: 3,
      order: bars ? 1 : 0,
    }));
    this.#paint();
  }

  /** The time under a place of the screen, null outside of the chart. */
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
      const of = color(dataset.property);
      dataset.borderColor = of;
      dataset.backgroundColor = of;
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

function ticks(from, until, width) {
  const step = STEPS.find((every) => ((until - from) / every) * TICK_WIDTH <= width) ?? STEPS.at(-1);
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= until; at += step) {
    found.push({ value: at });
  }
  return found;
}
