import { checked, type GroundingCheck, skipped } from './check.ts';

export const notBlocked: GroundingCheck = {
  name: 'not-blocked',
  severity: 'blocking',
  check({ claim }) {
    if (claim.status === 'none') return skipped('there is no claim');
    if (claim.status === 'done') return checked([]);
    return checked([
      {
        key: 'blocked',
        message: `the agent says that it is blocked: ${claim.why}`,
        hint: 'answer its question, then try again with that as context',
      },
    ]);
  },
};
