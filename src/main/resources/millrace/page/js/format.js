import { ExactNumber, isNumber } from './api.js';

/** Numbers, bytes and times as the page writes them. What is not there is an en dash. */

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

/** All digits: 3,000,000. */
export const count = (value) => (missing(value) ? NONE : whole.format(value));

/** Three digits: 3M, 12.3K. */
export const compact = (value) => (missing(value) ? NONE : short.format(value));

/** Three digits: 0.0123, 12.3, 123. */
export const digits = (value) => (missing(value) ? NONE : threeDigits.format(value));

/** Two decimals: 67.02. */
export const hundredths = (value) => (missing(value) ? NONE : value.toFixed(2));

/** Bytes, in thousands: 1.23 MB. */
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

export const percent = (share) => (missing(share) ? NONE : `${threeDigits.format(share * 100)} %`);
export const millis = (value) => (missing(value) ? NONE : `${threeDigits.format(value)} ms`);
export const nanos = (value) => (missing(value) ? NONE : `${threeDigits.format(value)} ns`);

/** A time of day with seconds, of epoch milliseconds or an ISO text. */
export const time = (when) => (missing(when) ? NONE : clock.format(new Date(when)));

/** A day, of epoch milliseconds or an ISO text. */
export const day = (when) => (missing(when) ? NONE : date.format(new Date(when)));

/** A time of day as far as ticks that far apart, in milliseconds, need it. */
export function timeOfTick(when, apart) {
  const format = apart < 60_000 ? clock : apart < 86_400_000 ? clockMinutes : dayOfMonth;
  return format.format(new Date(when));
}

/** A value of a record as the API gives it. */
export function value(of) {
  if (of === null || of === undefined) {
    return NONE;
  }
  return typeof of === 'object' && !(of instanceof ExactNumber) ? JSON.stringify(of) : String(of);
}

/** The same, a computed number with four digits behind the point: 0.01098, 1.2679. */
export function figure(of) {
  if (typeof of !== 'number' || Number.isInteger(of)) {
    return value(of);
  }
  return (Math.abs(of) < 1 ? fourDigits : fourDecimals).format(of);
}

/** The same, digits in groups of three: 12,345.6. */
export function grouped(of) {
  const text = figure(of);
  return isNumber(of) ? text.replace(/^(-?)(\d+)/, (_, sign, whole) => sign + whole.replace(/\B(?=(\d{3})+$)/g, ',')) : text;
}

/** What a feed has waiting; a feed that can't know tells a negative number. */
export const lag = (waiting) => (waiting < 0 ? NONE : count(waiting));
