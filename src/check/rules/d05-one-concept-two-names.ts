import { isOneConcept } from './clones/concept-names.ts';
import type { Rule } from './rule.ts';
import type { Anchored } from './survey/anchors.ts';
import { gather, meetings, type Sighting, type Survey } from './survey/survey.ts';

export const oneConceptTwoNames = {
  id: 'D05',
  name: 'one-concept-two-names',
  category: 'naming',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.6,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 33, real: 33 },
  what: 'Two branches give one concept different names, and something shows that it is one: both refer to the same column by a foreign key, name the same column, read the same environment variable, take the value from the same place in a JSON document, have the same type of an identity (`UserId`), or are filled with the same `user.id`.',
  example: {
    a: ["+ account_id = Column(ForeignKey('users.id'))"],
    b: ["+ user_id = Column(ForeignKey('users.id'))"],
  },
  move: 'Agree on one of the two names.',
  proof: ['possible'],
  owner: 'either',
  givesWay: true,
  detect: { survey: namesOfOneConcept },
} satisfies Rule;

async function namesOfOneConcept(survey: Survey): Promise<Sighting[]> {
  const all = await gather(
    survey,
    ({ anchors }) => anchors ?? [],
    (anchored: Anchored, at) => [`${anchored.kind} ${anchored.anchor}`, { ...anchored, ...at }] as const,
  );
  return [...all].flatMap(([key, items]) =>
    meetings(survey, items).flatMap(([first, second]): Sighting[] => {
      // A side that uses both names knows the other one.
      const uses = (side: typeof first.side, name: string) =>
        items.some((item) => item.side === side && item.name === name);
      if (uses(first.side, second.name) || uses(second.side, first.name)) return [];
      if (!isOneConcept(first, second)) return [];
      return [
        {
          key,
          provider: first,
          sites: [second],
          subject: `${first.name} ${second.name}`,
          confidence: 'possible',
          message: `${first.side.ref} says ${first.name} and ${second.side.ref} says ${second.name} for the ${first.kind} ${first.anchor}`,
          suggestion: `use one name, ${first.name} or ${second.name}`,
        },
      ];
    }),
  );
}
