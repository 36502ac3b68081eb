import type { RunReport } from '#schema/run.ts';
import type { RunState, StepState } from './state.ts';

/** Which branches were last checked against each other, and which were not. */
export function checkedOf({ steps, integrations }: RunState): RunReport['checked'] {
  const all = [...steps.values()];
  const accepted = all.filter(({ status }) => status === 'accepted');
  const others = all.filter(({ status }) => status !== 'accepted').map(unchecked);
  const last = integrations.at(-1)?.report;
  if (!last) {
    // Each was checked with the work accepted before it, when it was merged.
    const together = accepted.length > 1 ? accepted.map(({ branch }) => branch) : [];
    return { together, not: others };
  }
  const refs = accepted.map(({ branch }) => branch);
  const isProven = last.steps.some(({ name, status }) => name === 'check' && status === 'pass');
  const left = last.left.map(({ ref, reason }) => ({ what: ref, why: reason }));
  const skipped = last.steps
    .filter(({ status }) => status === 'skipped' || status === 'undecided')
    .filter(({ name }) => name !== 'land')
    .map(({ name, status, detail }) => ({ what: name, why: `${status}: ${detail}` }));
  return {
    together: isProven ? [last.target.ref, ...last.merged.map(({ ref }) => ref)] : [last.target.ref, ...refs],
    not: [...left.filter(({ what }) => !others.some((each) => each.what === what)), ...others, ...skipped],
  };
}

function unchecked({ branch, status, reason, commit }: StepState): RunReport['checked']['not'][number] {
  const why = commit === null ? 'it has no commit' : reason === '' ? status : `${status}: ${reason}`;
  return { what: branch, why };
}
