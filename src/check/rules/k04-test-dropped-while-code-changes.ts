import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';
import { isModule } from './wiring/module-words.ts';

export const testDroppedWhileCodeChanges = {
  id: 'K04',
  name: 'test-dropped-while-code-changes',
  category: 'behaviour',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.8,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch removes or skips a test, and another branch changes the function that the test calls. Each is fine alone: one was still tested, the other had nothing to test. Together the change is not covered.',
  example: { a: ['- def test_rounding(): ...   # flaky'], b: ['~ def round_half(value): ...'] },
  move: 'Restore the test for the changed function, or write another one.',
  proof: ['likely'],
  owner: 'consumer',
  detect: { survey: uncovered },
} satisfies Rule;

async function uncovered(survey: Survey): Promise<Sighting[]> {
  const found: Sighting[] = [];
  for (const remover of survey.sides) {
    const news = [...(await remover.news())];
    const kept = new Set(news.flatMap(([, { tests }]) => tests?.added.map(({ id }) => id) ?? []));
    for (const [test, { tests }] of news)
      for (const { id, line, uses } of tests?.gone ?? []) {
        if (kept.has(id) || uses.length === 0) continue;
        for (const side of survey.sides) {
          if (side === remover || !survey.isApart(side, remover)) continue;
          const changed = [...(await side.news())].flatMap(([file, { code }]) =>
            (code?.changed ?? []).flatMap((each) =>
              uses.some(({ name, from }) => name === each.name && isModule(from, file))
                ? [{ side, file, ...each }]
                : [],
            ),
          );
          const [first, ...more] = changed;
          // Whoever changes the function and its tests as well covers it.
          if (!first || side.changes.some(({ path, status }) => path === test && status !== 'deleted'))
            continue;
          found.push({
            key: `${test}#${id}`,
            provider: { side: remover, file: test, line, name: id, removed: true },
            sites: [first, ...more],
            subject: first.name,
            confidence: 'likely',
            message: `${remover.ref} drops the test ${JSON.stringify(id)}; ${side.ref} changes ${first.name}, which it called`,
            suggestion: `keep a test of ${first.name}`,
          });
        }
      }
  }
  return found;
}
