import type { Rule } from './rule.ts';
import type { ConstantNews } from './survey/constants.ts';
import { gather, meetings, type Sighting, type Survey } from './survey/survey.ts';

export const divergentConstants = {
  id: 'D06',
  name: 'divergent-constants',
  category: 'naming',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.8,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'Two branches each add a constant for the same limit, time or size to different files, with different values. Units in the names are taken into account: 5 seconds and 5000 ms are the same.',
  example: {
    a: ['+ web: MAX_UPLOAD = 10_000_000'],
    b: ['+ api: MAX_UPLOAD_BYTES = 5 * 1024 * 1024'],
  },
  move: 'Decide on one value and import it in both places.',
  proof: ['possible'],
  owner: 'either',
  givesWay: true,
  detect: { survey: divergent },
} satisfies Rule;

async function divergent(survey: Survey): Promise<Sighting[]> {
  const all = await gather(
    survey,
    ({ constants }) => constants ?? [],
    (constant: ConstantNews, at) => [constant.role, { ...constant, ...at }] as const,
  );
  const met = [...all].flatMap(([role, items]) =>
    meetings(survey, items)
      .filter(([first, second]) => first.file !== second.file && first.value !== second.value)
      .map(([first, second]) => ({ role, first, second })),
  );
  const holders = await survey.holders(
    survey.from,
    met.flatMap(({ first, second }) => [first.name, second.name]),
  );
  const found: Sighting[] = [];
  for (const { role, first, second } of met) {
    // A name that base has in other files is a per-module name.
    const holding = [first.name, second.name].flatMap((name) => [...(holders.get(name) ?? [])]);
    if (holding.some((path) => path !== first.file && path !== second.file)) continue;
    found.push({
      key: role,
      provider: first,
      sites: [second],
      subject: first.name,
      confidence: 'possible',
      message: `${first.side.ref} sets ${first.name} to ${first.written}, ${second.side.ref} sets ${second.name} to ${second.written}`,
      suggestion: 'decide on one value and import it in both places',
    });
  }
  return found;
}
