import type { Rule } from './rule.ts';
import type { Sighting, Spot, Survey, SurveyedBranch } from './survey/survey.ts';
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
  const changes = await changedFunctions(survey);
  for (const remover of survey.sides) {
    const news = [...(await remover.news())];
    const kept = new Set(news.flatMap(([, { tests }]) => tests?.added.map(({ id }) => id) ?? []));
    for (const [test, { tests }] of news)
      for (const { id, line, uses } of tests?.gone ?? []) {
        if (kept.has(id) || uses.length === 0) continue;
        for (const side of survey.sides) {
          if (side === remover || !survey.isApart(side, remover)) continue;
          const named = [...new Set(uses.map(({ name }) => name))].flatMap(
            (name) => changes.get(side)?.get(name) ?? [],
          );
          const [first, ...more] = named
            .filter((each) => uses.some(({ name, from }) => name === each.name && isModule(from, each.file)))
            .sort((a, b) => a.order - b.order)
            .map(({ order: _, ...spot }) => spot);
          // A side that changes the function and its tests covers it.
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

type ChangedFunction = Spot & { readonly order: number };

/** By side and name. Few tests are dropped, but each would have to be compared with every changed function. */
async function changedFunctions(
  survey: Survey,
): Promise<Map<SurveyedBranch, Map<string, ChangedFunction[]>>> {
  const bySide = new Map<SurveyedBranch, Map<string, ChangedFunction[]>>();
  for (const side of survey.sides) {
    const all = [...(await side.news())].flatMap(([file, { code }]) =>
      (code?.changed ?? []).map((each) => ({ side, file, ...each })),
    );
    bySide.set(
      side,
      Map.groupBy(
        all.map((each, order) => ({ ...each, order })),
        ({ name }) => name,
      ),
    );
  }
  return bySide;
}
