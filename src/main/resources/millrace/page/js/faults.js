import { html, nothing } from 'lit-html';
import { post } from './api.js';
import { count, percent } from './format.js';

/** Faults of pipelines, for the shell and the overview, and the button that restarts one that has failed. */

const FAILED = 'failed';
const NORMAL = 'normal';

const isRejecting = (pipeline) => pipeline.rejectStatus.level !== NORMAL;

const lateMeasures = (pipeline) => pipeline.lateStatus.filter(({ level }) => level !== NORMAL);

/**
 * Returns whether a pipeline has failed, can't read its feed, or more records are rejected or late than its warning
 * thresholds.
 */
export const isFaulty = (pipeline) =>
  pipeline.error !== null || isRejecting(pipeline) || lateMeasures(pipeline).length > 0;

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
  const feed = pipeline.error === null ? [] : [`can't read its feed: ${pipeline.error}`];
  return [...feed, ...(isRejecting(pipeline) ? [describeRejects(pipeline)] : []), ...late].join('; ');
}

/** Results of restarts that have not succeeded, by the name of the pipeline. */
const restarts = new Map();

/** Returns the button that restarts a pipeline, if that has failed, with the result of the last attempt. */
export function restartButton(pipeline) {
  if (pipeline.state !== FAILED) {
    restarts.delete(pipeline.name);
    return nothing;
  }
  const { running, message } = restarts.get(pipeline.name) ?? {};
  return html`<button type="button" class="restart" ?disabled=${running} @click=${() => restart(pipeline.name)}>
      Restart<span class="unseen"> ${pipeline.name}</span>
    </button>
    ${message ? html`<span role="alert">${message}</span>` : nothing}`;
}

/** The next snapshot shows the result: the pipeline is restarted, or the message is shown. */
async function restart(name) {
  restarts.set(name, { running: true });
  try {
    const { detail } = await post(`/api/pipelines/${encodeURIComponent(name)}/restart`);
    restarts.set(name, { message: detail });
  } catch (e) {
    restarts.set(name, { message: e.message });
  }
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
