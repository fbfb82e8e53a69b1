import { count, percent } from './format.js';

/** Faults of pipelines, for the shell and the overview. */

const FAILED = 'failed';
const NORMAL = 'normal';

const isRejecting = (pipeline) => pipeline.rejectStatus.level !== NORMAL;

const lateMeasures = (pipeline) => pipeline.lateStatus.filter(({ level }) => level !== NORMAL);

/** Returns whether a pipeline has failed, or more records are rejected or late than its warning thresholds. */
export const isFaulty = (pipeline) =>
  pipeline.state === FAILED || isRejecting(pipeline) || lateMeasures(pipeline).length > 0;

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
  const late = lateMeasures(pipeline).map(describeLate);
  return (isRejecting(pipeline) ? [describeRejects(pipeline), ...late] : late).join('; ');
}

function describeLate({ measure, share, late, records }) {
  return `${percent(share)} of the records of measure ${measure} are late (${count(late)} of ${count(records)})`;
}

function describeRejects(pipeline) {
  const { share, rejected, records, unit, reasons } = pipeline.rejectStatus;
  const causes = reasons.map(
    ({ reason, count: rejects, detail }) => `${reason} (${count(rejects)}), for example: ${detail}`,
  );
  return `rejects ${percent(share)} of its ${unit} (${count(rejected)} of ${count(records)}): ${causes.join('; ')}`;
}
