import { html } from 'lit-html';
import { LINES } from './colors.js';
import { KINDS } from './comparison.js';
import { percent } from './format.js';
import { TimeChart } from './timechart.js';

/** Intervals that are shown: five minutes of a poll each second. */
const INTERVALS_MAX = 300;
/** Shorter intervals have too few records for a share. */
const INTERVAL_MIN_MILLIS = 500;
/** Minimum length of the time axis. */
const SPAN_MIN_MILLIS = 60_000;
/** Kinds of differences, each with its line. */
const DIFFERENCES = Object.entries(KINDS).filter(([kind]) => kind !== 'same');

/** The share of records with each difference between the polls of a shadow, over time. */
export class ShadowChart {
  /** What identifies the counts: they begin again with another shadow or another live version. */
  #counts = null;
  /** The last poll, as { shadow, time }. */
  #last = null;
  /** Intervals as { time, shares }: shares by kind, each null if the interval has no records. */
  #intervals = [];
  #canvas = null;
  #chart = null;

  /** Adds the interval since the last poll. */
  add(shadow, time) {
    const counts = [shadow.pipeline, shadow.time, shadow.fingerprint, shadow.version, shadow.since].join();
    if (counts !== this.#counts) {
      this.#counts = counts;
      this.#intervals = [];
    } else {
      const records = shadow.records - this.#last.shadow.records;
      // Responses may arrive in another order than their requests.
      if (shadow.ended || records < 0 || time - this.#last.time < INTERVAL_MIN_MILLIS) {
        return;
      }
      const share = (kind) => (records ? (shadow.differences[kind] - this.#last.shadow.differences[kind]) / records : null);
      this.#intervals.push({ time, shares: Object.fromEntries(DIFFERENCES.map(([kind]) => [kind, share(kind)])) });
      this.#intervals.splice(0, this.#intervals.length - INTERVALS_MAX);
    }
    this.#last = { shadow, time };
  }

  /** Returns the chart with its legend, which has the latest and the highest share of each difference. */
  template() {
    return html`<figure class="disagreement">
      <figcaption>
        <h3>Share of records with another result</h3>
        <table>
          <caption class="unseen">Shares of the last second, and the highest shares of a second in the chart</caption>
          <thead>
            <tr><th scope="col">difference</th><th scope="col" class="num">now</th><th scope="col" class="num">highest</th></tr>
          </thead>
          <tbody>
            ${DIFFERENCES.map(([kind, label], i) => this.#row(kind, label, LINES[i]))}
          </tbody>
        </table>
      </figcaption>
      <div class="canvas"><canvas id="chart-shadow" aria-hidden="true"></canvas></div>
    </figure>`;
  }

  #row(kind, label, { property, dash }) {
    const shares = this.#intervals.map((interval) => interval.shares[kind]).filter((share) => share !== null);
    return html`<tr data-kind=${kind}>
      <th scope="row">
        <svg class="swatch" viewBox="0 0 22 8" aria-hidden="true">
          <path d="M0 4H22" stroke=${`var(${property})`} stroke-dasharray=${dash.join(' ')} />
        </svg>
        ${label}
      </th>
      <td class="num">${percent(this.#intervals.at(-1)?.shares[kind])}</td>
      <td class="num">${percent(shares.length ? Math.max(...shares) : null)}</td>
    </tr>`;
  }

  /** Draws the chart on a canvas. Without one, the shadow has ended. */
  draw(canvas) {
    if (canvas !== this.#canvas) {
      this.#chart?.destroy();
      this.#canvas = canvas;
      this.#chart = canvas && new TimeChart(canvas, { time: null }, { left: { format: percent, suggestedMax: 0.01 } });
    }
    if (canvas && this.#intervals.length) {
      const startTime = this.#intervals[0].time;
      const series = DIFFERENCES.map(([kind], i) => ({
        ...LINES[i],
        data: this.#intervals.map(({ time, shares }) => ({ x: time, y: shares[kind] })),
      }));
      this.#chart.show(startTime, Math.max(this.#intervals.at(-1).time, startTime + SPAN_MIN_MILLIS), series);
    }
  }
}
