import { posix } from 'node:path';
import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const stricterOption = {
  id: 'M09',
  name: 'stricter-option',
  category: 'dependency',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.8,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch turns on an option of the compiler, type checker or linter, and another branch adds code that the option refuses: untyped parameters under `noImplicitAny`, `strict` or `disallow_untyped_defs`, enums under `erasableSyntaxOnly`, `print` under ruff T20, `console` under `no-console`. Recognised by the form of the code; a type checker (`--confirm types`) proves more.',
  example: { a: ['+ "noImplicitAny": true'], b: ['+ export function total(prices) { … }'] },
  move: 'Write the new code the way the option asks for.',
  proof: ['likely'],
  owner: 'consumer',
  givesWay: true,
  detect: { survey: refusedCode },
} satisfies Rule;

async function refusedCode(survey: Survey): Promise<Sighting[]> {
  const found: Sighting[] = [];
  for (const setter of survey.sides)
    for (const [settings, { strictness }] of await setter.news())
      for (const { option, line } of strictness?.tightened ?? [])
        for (const side of survey.sides) {
          if (side === setter || !survey.isApart(side, setter)) continue;
          const folder = posix.dirname(settings);
          const refused = [...(await side.news())].flatMap(([file, news]) =>
            (folder === '.' || file.startsWith(`${folder}/`) ? (news.strictness?.refused ?? []) : []).flatMap(
              (each) => (each.option === option ? [{ side, file, line: each.line, name: option }] : []),
            ),
          );
          const [first, ...more] = refused;
          if (!first) continue;
          found.push({
            key: `${settings}#${option}`,
            provider: { side: setter, file: settings, line, name: option },
            sites: [first, ...more],
            subject: `${first.file}#`,
            confidence: 'likely',
            message: `${setter.ref} turns on ${option} in ${settings}; ${side.ref} adds code that it refuses`,
            suggestion: `write ${first.file} the way ${option} asks for`,
          });
        }
  return found;
}
