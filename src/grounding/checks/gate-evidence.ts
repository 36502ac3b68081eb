import { checked, type GroundingCheck, skipped } from './check.ts';

/** Whether the agent ran the gates itself, according to our own records, not its log. */
export const gateEvidence: GroundingCheck = {
  name: 'gate-evidence',
  severity: 'important',
  check({ gateRuns }) {
    if (gateRuns === null) return skipped('no records of gates are kept here');
    if (gateRuns.passed > 0) return checked([], `${gateRuns.passed} passed`);
    const message =
      gateRuns.failed > 0
        ? `the gates were run ${gateRuns.failed} times and never passed`
        : 'the gates were not run during the work';
    return checked([{ key: 'none', message, hint: 'run joinery gates before handing in' }]);
  },
};
