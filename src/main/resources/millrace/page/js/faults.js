import { count, percent } from './format.js';

/** Faults of pipelines, for the shell and the overview. */

const FAILED = 'failed';
const NORMAL = 'normal';

/** Returns whether a pipeline has failed or rejects more records than its warning threshold. */
export const isFaulty = (pipeline) => pipeline.state === FAILED || pipeline.rejectStatus.level !== NORMAL;

/** Returns the faulty pipelines of a snapshot, failed ones first. */
export function faults(snapshot) {
  const faulty = (snapshot?.pipelines ?? []).filter(isFaulty);
  return faulty.sort((a, b) => (b.state === FAILED) - (a.state === FAILED));
}

/** Returns a description that follows the name of the pipeline. */
export function describeFault(pipeline) {
  if (pipeline.state === FAILED) {
    return `failed: ${pipeline.error}`;
  }
  const { share, rejected, records, unit, reasons } = pipeline.rejectStatus;
  const causes = reasons.map(
    ({ reason, count: rejects, detail }) => `${reason} (${count(rejects)}), for example: ${detail}`,
  );
  return `rejects ${percent(share)} of its ${unit} (${count(rejected)} of ${count(records)}): ${causes.join('; ')}`;
}
