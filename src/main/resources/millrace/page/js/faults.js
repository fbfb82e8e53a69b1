import { count, percent } from './format.js';

/** What is wrong with pipelines, as the shell and the overview show it. */

const FAILED = 'failed';
const NORMAL = 'normal';

/** Whether a pipeline has failed, or rejects more records than its threshold to warn. */
export const isFaulty = (pipeline) => pipeline.state === FAILED || pipeline.rejectStatus.level !== NORMAL;

/** The faulty pipelines of a moment, those that have failed first. */
export function faults(moment) {
  const faulty = (moment?.pipelines ?? []).filter(isFaulty);
  return faulty.sort((a, b) => (b.state === FAILED) - (a.state === FAILED));
}

/** One sentence, to follow the pipeline's name. */
export function describeFault(pipeline) {
  if (pipeline.state === FAILED) {
    return `failed: ${pipeline.error}`;
  }
  const { share, rejected, records, reasons } = pipeline.rejectStatus;
  const why = reasons.map(({ reason, count: times, detail }) => `${reason} ${count(times)} \u00d7, such as: ${detail}`);
  return `rejects ${percent(share)} of its records (${count(rejected)} of ${count(records)}): ${why.join('; ')}`;
}
