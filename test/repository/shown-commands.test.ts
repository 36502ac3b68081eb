import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { globalOptions } from '#cli/args/globals.ts';
import { commands } from '#cli/commands.ts';
import { root } from '#scripts/root.ts';

/** Every option that a text shows with a command that does not have it: 'receipt --verify'. */
function unknownOptions(text: string): string[] {
  return [...text.matchAll(/joinery ([a-z]+)((?:(?!joinery )[^'"`\n;|#])*)/g)].flatMap(
    ([, name, rest = '']) => {
      const table = commands.find((command) => command.table.name === name)?.table;
      const known = [...(table?.options ?? []), ...globalOptions].map((option) => option.name);
      // After -- comes a command of another program.
      const shown = (rest.split(/ -- /)[0] ?? '').matchAll(/(?<!\S)--(?:no-)?([a-z][a-z-]*)/g);
      return [...shown].flatMap(([option, word = '']) =>
        !table || known.includes(word) || known.includes(`no-${word}`) ? [] : [`${name} ${option}`],
      );
    },
  );
}

/** Every action that a text shows with a command that does not have it: 'spec template'. Prose goes on with a verb: 'joinery agents lists them'. */
function unknownActions(text: string): string[] {
  return [...text.matchAll(/joinery ([a-z]+) ([a-z][a-z0-9-]*)/g)].flatMap(([, name, word = '']) => {
    const actions = commands.find((command) => command.table.name === name)?.table.positionals[0]?.values;
    return !actions || actions.includes(word) || ['lists', 'shows'].includes(word) ? [] : [`${name} ${word}`];
  });
}

test('commands in messages, pages and documents have the actions and options they are shown with', () => {
  const files = globSync(
    ['src/**/*.{ts,md}', 'web/src/**/*.{ts,tsx}', 'docs/**/*.md', '*.md', 'action.yml'],
    {
      cwd: root,
    },
  ).filter((file) => !file.endsWith('.test.ts') && file !== 'CHANGELOG.md');
  expect(files.length).toBeGreaterThan(1000);
  const wrong = files.flatMap((file) =>
    [unknownOptions, unknownActions].flatMap((unknown) =>
      unknown(readFileSync(join(root, file), 'utf8')).map((shown) => `${file}: ${shown}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ['joinery receipt r1 --verify', ['receipt --verify', 'receipt r1']],
  ['joinery audit --run r1', ['audit --run']],
  ['joinery check --strict; joinery audit --json', []],
  ['joinery evidence run --claim test -- npm test --watch', []],
  ['joinery is --not a command', []],
  ['joinery spec template shows how', ['spec template']],
  ['joinery spec new feature checkout; joinery agents lists them', []],
])('the check itself: %s', (text, wrong) => {
  expect([...unknownOptions(text), ...unknownActions(text)]).toEqual(wrong);
});
