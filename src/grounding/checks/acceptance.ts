import { type GroundingCheck, skipped, type Trouble } from './check.ts';

/** The criteria of the recorded plan, each verified the way it says. */
export const acceptance: GroundingCheck = {
  name: 'acceptance',
  severity: 'blocking',
  check({ criteria }) {
    if (criteria.length === 0) return skipped('the task has no acceptance criteria');
    const troubles = criteria.flatMap(({ criterion, status, detail }): Trouble[] => {
      if (status === 'met' || status === 'inconclusive') return [];
      const how = `${criterion.verifyBy}${criterion.arg ? ` ${criterion.arg}` : ''}`;
      return [
        {
          key: `${criterion.verifyBy} ${criterion.arg ?? ''} ${criterion.text}`,
          message: `${status === 'unmet' ? 'not met' : 'not verified'}: ${criterion.text} (${how}${detail ? `: ${detail}` : ''})`,
          hint: status === 'unmet' ? 'make it true' : 'a person has to look',
          isLesser: status === 'unverified',
        },
      ];
    });
    const unknown = criteria
      .filter(({ status }) => status === 'inconclusive')
      .map(({ criterion, detail }) => ({ reason: `${criterion.text}: ${detail}` }));
    const met = criteria.filter(({ status }) => status === 'met').length;
    return { is: 'checked', troubles, unknown, detail: `${met} of ${criteria.length} met` };
  },
};
