import type { Rule } from './rule.ts';
import type { RoleValue } from './survey/role-values.ts';
import { gather, meetings, type Sighting, type Survey } from './survey/survey.ts';

export const sameValueTwice = {
  id: 'N02',
  name: 'same-value-twice',
  category: 'naming',
  severity: 'minor',
  languages: ['any'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 68, real: 68 },
  what: 'Two branches take the same value for different things where each may be taken once: a migration number, a port, an error code, a command-line flag, a route, a protobuf tag. The text merges, because the two lines are in different places.',
  example: { a: ['+ migrations/0042_phone.sql'], b: ['+ migrations/0042_plan.sql'] },
  move: 'Give one of the two another value.',
  proof: ['likely'],
  owner: 'either',
  givesWay: true,
  detect: { survey: valuesTakenTwice },
} satisfies Rule;

async function valuesTakenTwice(survey: Survey): Promise<Sighting[]> {
  const all = await gather(
    survey,
    ({ roles }) => roles ?? [],
    (taken: RoleValue, at) => [JSON.stringify([taken.role, taken.scope, taken.value]), { ...taken, ...at }],
  );
  return [...all].sort().flatMap(([key, items]) =>
    meetings(survey, items).flatMap(([first, second]): Sighting[] => {
      // The same holder in both: both have the same change, or git merges the two.
      if (first.holder === second.holder) return [];
      const { role, value } = first;
      return [
        {
          key,
          provider: { ...first, name: value },
          sites: [{ ...second, name: value }],
          subject: value,
          confidence: 'likely',
          message: `${first.side.ref} and ${second.side.ref} both take the ${role} ${value}`,
          suggestion: `give one of them another ${role}`,
        },
      ];
    }),
  );
}
