import { ExactNumber, isNumber } from './api.js';

/** Formats of numbers, bytes and times. A missing value is shown as an en dash. */

const NONE = '\u2013';
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const fourDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, useGrouping: false });
const fourDecimals = new Intl.NumberFormat('en', { maximumFractionDigits: 4, useGrouping: false });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const clockMinutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayOfMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const missing = (value) => value === null || value === undefined || Number.isNaN(value);

/** Formats all digits: 3,000,000. */
export const count = (value) => (missing(value) ? NONE : whole.format(value));

/** Formats a count with a noun that takes an s in the plural: 1 record, 3,000,000 records. */
export const countOf = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** Formats three digits: 3M, 12.3K. */
export const compact = (value) => (missing(value) ? NONE : short.format(value));

/** Formats three digits: 0.0123, 12.3, 123. */
export const digits = (value) => (missing(value) ? NONE : threeDigits.format(value));

/** Formats two decimals: 67.02. */
export const twoDecimals = (value) => (missing(value) ? NONE : value.toFixed(2));

/** Formats bytes in decimal units: 1.23 MB. */
export function bytes(value) {
  if (missing(value)) {
    return NONE;
  }
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let scaled = value;
  while (Math.abs(scaled) >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${threeDigits.format(scaled)} ${units[unit]}`;
}

export const percent = (share) => (missing(share) ? NONE : `${threeDigits.format(share * 100)}%`);
export const millis = (value) => (missing(value) ? NONE : `${threeDigits.format(value)} ms`);
export const nanos = (value) => (missing(value) ? NONE : `${threeDigits.format(value)} ns`);

/** Formats epoch milliseconds or an ISO 8601 string as a time with seconds. */
export const time = (when) => (missing(when) ? NONE : clock.format(new Date(when)));

/** Formats epoch milliseconds or an ISO 8601 string as a date. */
export const day = (when) => (missing(when) ? NONE : date.format(new Date(when)));

/** Formats the time of a tick as exactly as the distance between ticks in milliseconds requires. */
export function timeOfTick(when, tickMillis) {
  const format = tickMillis < 60_000 ? clock : tickMillis < 86_400_000 ? clockMinutes : dayOfMonth;
  return format.format(new Date(when));
}

/** Formats a value of a record as the API returns it. */
export function value(raw) {
  if (raw === null || raw === undefined) {
    return NONE;
  }
  return typeof raw === 'object' && !(raw instanceof ExactNumber) ? JSON.stringify(raw) : String(raw);
}

/** The same, with computed numbers rounded to four decimals: 0.01098, 1.2679. */
export function rounded(raw) {
  if (typeof raw !== 'number' || Number.isInteger(raw)) {
    return value(raw);
  }
  return (Math.abs(raw) < 1 ? fourDigits : fourDecimals).format(raw);
}

/** The same, with digits in groups of three: 12,345.6. */
export function grouped(raw) {
  const text = rounded(raw);
  return isNumber(raw) ? text.replace(/^(-?)(\d+)/, (_, sign, whole) => sign + whole.replace(/\B(?=(\d{3})+$)/g, ',')) : text;
}

/** Formats the lag of a feed. A negative lag is unknown. */
export const lag = (unread) => (unread < 0 ? NONE : count(unread));
