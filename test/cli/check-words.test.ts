import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

type Files = Readonly<Record<string, string | null>>;

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

/** What the one finding says, and what it suggests. */
async function told(files: { readonly base: Record<string, string>; readonly a: Files; readonly b: Files }) {
  const repository = new GitRepository();
  repository.commit(files.base);
  repository.branch('a', files.a);
  repository.branch('b', files.b);
  const { stdout } = await joinery(['check', 'main', 'a', 'b', '--confirm', 'none', '--json'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  return CheckReport.parse(JSON.parse(stdout)).findings.map(
    ({ rule, message, suggestion }) => `${rule}: ${message}. ${suggestion}`,
  );
}

test('a call lacks the parameter that was added in the middle, not the last one', async () => {
  const store = (parameters: string) => `export function add(${parameters}): string {\n  return id;\n}\n`;
  const all = await told({
    base: { 'src/store.ts': store('id: string, creator: string') },
    a: { 'src/store.ts': store('id: string, tenant: string, creator: string') },
    b: { 'src/page.ts': "import { add } from './store.ts';\n\nexport const added = add('1', 'ada');\n" },
  });
  expect(all).toEqual(['S04: add needs tenant since a changed it; b calls it the old way. pass tenant']);
});

test('a file that was deleted has a successor', async () => {
  const dates = lines(
    'export function parseDate(text: string): Date {',
    '  const [year = 0, month = 1, day = 1] = text.split("-").map(Number);',
    '  return new Date(year, month - 1, day);',
    '}',
    '',
    'export function isoDate(date: Date): string {',
    '  return date.toISOString().slice(0, 10).replaceAll("/", "-").trim();',
    '}',
  );
  const rest = lines(
    'export const zone = "UTC";',
    '',
    'export const locale = "en";',
    '',
    'export const eras = [1, 2, 3, 4];',
  );
  const all = await told({
    base: { 'src/dates.ts': dates, 'src/calendar.ts': rest },
    a: { 'src/dates.ts': null, 'src/calendar.ts': rest + dates },
    b: {
      'src/page.ts':
        "import * as dates from './dates.ts';\n\nexport const day = dates.parseDate('2026-01-01');\n",
    },
  });
  expect(all).toEqual([
    'S01: src/dates.ts was deleted on a, most of it is in src/calendar.ts now; b imports it. import from src/calendar.ts',
  ]);
});

test('a helper of which each test file has its own copy now did not move to one of them', async () => {
  const helper = lines(
    'def make_user(name):',
    '    user = {"name": name, "age": 3, "roles": ["reader", "writer"]}',
    '    user["label"] = f"{name} ({len(user)})"',
    '    return user',
  );
  const all = await told({
    base: { 'tests/__init__.py': '', 'tests/helpers.py': helper },
    a: {
      'tests/helpers.py': 'LIMIT = 3\n',
      'tests/test_orders.py': `${helper}\n\ndef test_orders():\n    assert make_user("a")\n`,
      'tests/test_users.py': `${helper}\n\ndef test_users():\n    assert make_user("b")\n`,
    },
    b: {
      'tests/test_pages.py':
        'from tests.helpers import make_user\n\n\ndef test_pages():\n    assert make_user("c")["age"] == 3\n',
    },
  });
  expect(all).toEqual([
    'S01: make_user was removed from tests/helpers.py on a; b uses it. keep make_user, or replace its use',
  ]);
});
