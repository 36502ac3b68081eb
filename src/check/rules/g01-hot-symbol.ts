import type { Rule } from './rule.ts';
import { gather, type Sighting, type Survey } from './survey/survey.ts';

export const hotSymbol = {
  id: 'G01',
  name: 'hot-symbol',
  category: 'risk',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.7,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'Three or more branches change the same function. Each pair may merge; the last one to land has read none of what the others made of it.',
  example: { a: ['~ createForm()'], b: ['~ createForm()   // and a third branch'] },
  move: 'Land them one after the other, and read the function again before each.',
  proof: ['possible'],
  owner: 'either',
  detect: { survey: hotSymbols },
} satisfies Rule;

const fewest = 3;

async function hotSymbols(survey: Survey): Promise<Sighting[]> {
  const all = await gather(
    survey,
    ({ code }) => code?.changed ?? [],
    (changed: { readonly name: string; readonly symbol: string; readonly line: number }, at) =>
      [`${at.file}#${changed.symbol}`, { ...changed, ...at }] as const,
  );
  return [...all].flatMap(([key, items]): Sighting[] => {
    const apart = items.filter((item, at) =>
      items.slice(0, at).every((other) => item.side !== other.side && survey.isApart(item.side, other.side)),
    );
    const [provider, first, ...more] = apart;
    if (!provider || !first || apart.length < fewest) return [];
    return [
      {
        key,
        provider,
        sites: [first, ...more],
        subject: provider.name,
        isOfOneThing: true,
        confidence: 'possible',
        message: `${apart.length} branches change ${provider.name}: ${apart.map(({ side }) => side.ref).join(', ')}`,
        suggestion: 'land them one after the other, and read the function again before each',
      },
    ];
  });
}
