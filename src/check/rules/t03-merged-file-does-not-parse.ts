import { symbolId } from '#schema/identity.ts';
import type { Found, Rule, TextPair } from './rule.ts';
import { textProblem } from './text/text-problem.ts';

export const mergedFileDoesNotParse = {
  id: 'T03',
  name: 'merged-file-does-not-parse',
  category: 'text',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.99,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'The text merges without a conflict, but the merged file is no longer valid code, although it is valid on each branch.',
  example: {
    a: ['- if (ready) {', '-   start(); }', '+ if (ready) start();'],
    b: ['  start(); }', '+ else { wait(); }'],
  },
  move: 'Rebase one branch on the other and repair the file where both edits meet.',
  proof: ['proven'],
  owner: 'either',
  entails: 'all-errors',
  detect: {
    text: brokenMerges,
  },
} satisfies Rule;

/** Files that both members changed, and that parse in each but not in the union. */
async function brokenMerges({ a, b, union, conflicted, reader }: TextPair): Promise<Found[]> {
  const shared = [...a.changed.keys()].filter((path) => b.changed.has(path) && !conflicted.has(path));
  const files = shared.flatMap((path) => {
    const blob = union.git.blob(path);
    return blob === undefined ? [] : [{ path, blob }];
  });
  await reader.load(files);
  return files.flatMap(({ path, blob }) => {
    const error = reader.facts(path, blob)?.syntaxError;
    if (!error || !a.tree.facts(path) || !b.tree.facts(path)) return [];
    return [
      {
        problem: textProblem('T03', [path], error.message, error),
        consumer: a,
        provider: b,
        diagnosis: {
          providerKey: symbolId(path, ''),
          confidence: 'proven',
          message: `${path} parses on ${a.ref} and on ${b.ref}, but not when both are merged: ${error.message}`,
          suggestion: `rebase one branch on the other and repair ${path}`,
          provider: null,
        },
      },
    ];
  });
}
