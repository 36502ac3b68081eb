import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { languageQuestions } from '../support/language-questions.ts';

/** Who may ask for a language by name, and why. All others ask its dialect: `src/code/languages/dialect.ts`. */
const allowed: readonly (readonly [path: string, reason: string])[] = [
  ['code/languages/', 'languages know themselves'],
  ['code/formats/', 'formats know the files that they are written in'],
  ['check/typecheck/compilers/', 'runs compilers, each of which reads one language'],
  ['check/typecheck/python/', 'runs mypy and pyright, which read Python alone'],
  ['check/typecheck/typescript/', 'runs the TypeScript compiler'],
  ['check/rules/data/', 'compares the names of router modules as text'],
  ['check/rules/k01b-missing-connection.ts', 'knows files that tools load by their names'],
  ['check/rules/k02-test-name-collision.ts', 'knows what test runners collect'],
  ['check/rules/m06-dependency-removed.ts', 'compares imports with manifests of npm and Python'],
  ['check/rules/migrations/', 'knows files of migration tools by their names'],
  ['check/rules/survey/', 'reads manifests, compiler settings and tests of single ecosystems as text'],
  ['check/rules/wiring/', 'compares registrations by words, also where there are no facts'],
  ['contract/stubs/', 'writes stubs in the language that was asked for'],
  ['review/risk/', 'judges lines of a diff, also of languages without facts'],
  ['gates/definitions/test-command.ts', 'knows which files a test runner reads'],
  ['gates/definitions/test-sources.ts', 'knows what the tool chain of each language calls tests'],
  ['gates/suite/trace-lines.ts', 'asks the runtime of a language which lines ran'],
  ['gates/runner/tools.ts', 'asks programs for their versions: `go version`'],
  ['gates/yardstick/', 'lists files that the runners of single languages load by their names'],
  ['tests/', 'reads test code as text, in a dozen languages that have no facts'],
  ['grounding/integrity/', 'judges single lines of test runners and their settings, without a tree'],
  ['process/own-build.ts', 'looks at its own sources'],
  ['lib/find-secrets.ts', 'names minified files'],
];

const { files, questions } = languageQuestions(fileURLToPath(new URL('../../src', import.meta.url)));

test('no module asks for a language by name', () => {
  const uninvited = questions.filter(({ file }) => !allowed.some(([path]) => file.startsWith(path)));
  expect(uninvited).toEqual([]);
});

test('every exception is used, and modules were examined', () => {
  const idle = allowed.filter(([path]) => !questions.some(({ file }) => file.startsWith(path)));
  expect({ idle, looked: files > 500 }).toEqual({ idle: [], looked: true });
});

describe('the survey itself', () => {
  test('finds names, extensions, patterns and imports, and nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'joinery-questions-'));
    try {
      writeFileSync(
        join(folder, 'module.ts'),
        `import { python } from '#code/languages/python/dialect.ts';
         import { dialectOf } from '#code/languages/index.ts';
         import { fits } from '#code/languages/shared/fits.ts';
         export const asked = (path: string, name: string) => {
           switch (name) { case 'typescript': return 1; case 'other': return 2; }
           return name === 'python' || path.endsWith('.py') || /\\.pyi?$/.test(path) || path.endsWith('.md')
             || /\\.(?:kt|go)$/.test(path) || path.endsWith('.rs');
         };
         export const uses = [python, dialectOf, fits, 'python', /\\.json$/];`,
      );
      expect(
        languageQuestions(folder)
          .questions.map(({ asks }) => asks)
          .sort(),
      ).toEqual([
        '/\\.(?:kt|go)$/',
        '/\\.pyi?$/',
        "=== 'python'",
        "case 'typescript'",
        "endsWith '.py'",
        "endsWith '.rs'",
        "import from '#code/languages/python/dialect.ts'",
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
