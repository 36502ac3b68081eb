import { addedPieces } from './clones/clones.ts';
import type { Rule } from './rule.ts';
import { likeness } from './survey/clone-tokens.ts';
import { meetings, type Sighting, type Survey } from './survey/survey.ts';

export const sameNameDifferentCode = {
  id: 'D03',
  name: 'same-name-different-code',
  category: 'duplicate',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.6,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'Two branches each add a function of the same name and the same number of parameters to different modules, and the two do something different. A reader, or an import that is completed by name, takes one for the other. Names that base has already are a convention and are not reported.',
  example: {
    a: ['+ utils/money.ts: formatAmount(cents)'],
    b: ['+ lib/currency.ts: formatAmount(amount)'],
  },
  move: 'Keep one of them, or say in the names how they differ.',
  proof: ['possible'],
  owner: 'either',
  givesWay: true,
  detect: { survey: sameNames },
} satisfies Rule;

/** Names that occur in many modules. */
const usual =
  /^(main|run|setup|init|index|handler|handle|render|create|build|start|stop|close|open|load|save|get|set|parse|format|execute|register|configure|default|middleware|plugin|loader|action|up|down|upgrade|downgrade|wrapper|inner|decorator|callback|apply|call|next|GET|POST|PUT|PATCH|DELETE)$/i;

/** Shorter code is just a name for a value. */
const fewestTokens = 8;

async function sameNames(survey: Survey): Promise<Sighting[]> {
  const pieces = (await addedPieces(survey)).filter(
    ({ name, container, tokens }) =>
      container === null && tokens >= fewestTokens && name.length >= 6 && !usual.test(name),
  );
  const groups = [...Map.groupBy(pieces, ({ name, arity }) => `${name} ${arity}`).values()];
  const met = groups
    .flatMap((group) => meetings(survey, group))
    .filter(([a, b]) => a.file !== b.file && a.hash !== b.hash && likeness(a, b) < 0.5);
  const usedBefore = await survey.holders(
    survey.from,
    met.map(([{ name }]) => name),
  );
  const found: Sighting[] = [];
  for (const [first, second] of met) {
    if (usedBefore.has(first.name)) continue;
    found.push({
      key: `${first.name} ${[first.file, second.file].sort().join(' ')}`,
      provider: first,
      sites: [second],
      subject: first.name,
      confidence: 'possible',
      message: `${first.side.ref} adds ${first.name} to ${first.file}, ${second.side.ref} adds another ${first.name} to ${second.file}`,
      suggestion: 'keep one of them, or say in the names how they differ',
    });
  }
  return found;
}
