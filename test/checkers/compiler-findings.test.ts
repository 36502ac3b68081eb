import { expect, test } from 'vitest';
import { compilers } from '#check/typecheck/compilers/compilers.ts';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
const log = (...numbers: number[]) => numbers.map((number) => `      log << ${number}`);
const sync = (...body: string[]) => lines('def run(size, log)', ...body, 'end');
const php = (before: string, after: string) =>
  lines('<?php', before, 'function one() { return 1; }', '', '', '', '', '', '', after);

/** What a changes and b relies on, file by file: types that facts do not follow, and text that merges wrongly. */
const files = {
  base: {
    'go.mod': lines('module example.com/shop', '', 'go 1.19'),
    'store/store.go': lines('package store', '', 'func Find(id string) string { return id }'),
    'src/app/Store.java': lines(
      'package app;',
      'public class Store {',
      '  public static String find(String id) { return id; }',
      '}',
    ),
    'App/Store.cs': lines(
      'namespace Shop {',
      '  public class Store { public static string Find(string id) { return id; } }',
      '}',
    ),
    'lib/sync.rb': sync('  if size', ...log(1, 2, 3, 4, 5, 6), '  end'),
    'php/f.php': php('', ''),
  },
  a: {
    'store/store.go': lines('package store', '', 'func Find(id string) (string, error) { return id, nil }'),
    'src/app/Store.java': lines(
      'package app;',
      'public class Store {',
      '  public static int find(String id) { return id.length(); }',
      '}',
    ),
    'App/Store.cs': lines(
      'namespace Shop {',
      '  public class Store { public static int Find(string id) { return id.Length; } }',
      '}',
    ),
    'lib/sync.rb': sync('  if size', ...log(1), '  end', ...log(2, 3, 4, 5, 6)),
    'php/f.php': php('function three() { return 1; }', ''),
  },
  b: {
    'app/app.go': lines(
      'package app',
      '',
      'import "example.com/shop/store"',
      '',
      'func First() string { return store.Find("a") }',
    ),
    'src/app/Use.java': lines(
      'package app;',
      'public class Use {',
      '  public static String first() { return Store.find("a"); }',
      '}',
    ),
    'App/Use.cs': lines(
      'namespace Shop {',
      '  public class Use { public static string First() { return Store.Find("a"); } }',
      '}',
    ),
    'lib/sync.rb': sync('  if size', ...log(1, 2, 3, 4), '  else', ...log(7, 5, 6), '  end'),
    'php/f.php': php('', 'function three() { return 3; }'),
  },
} as const;

const consumers: Readonly<Record<string, string>> = {
  'go vet': 'app/app.go',
  javac: 'src/app/Use.java',
  mcs: 'App/Use.cs',
  'ruby -c': 'lib/sync.rb',
  'php -l': 'php/f.php',
};

test('what a compiler rejects only in the union blocks, once', async () => {
  const repository = new GitRepository();
  repository.commit(files.base);
  repository.branch('a', files.a);
  repository.branch('b', files.b);
  const env = { JOINERY_CACHE_DIR: temporaryFolder() };
  const ask = async () => {
    const { code, stdout } = await joinery(['check', 'main', 'a', 'b', '--confirm', 'types', '--json'], {
      cwd: repository.dir,
      env,
    });
    return { code, report: CheckReport.parse(JSON.parse(stdout)) };
  };
  const first = await ask();
  expect(first.code).toBe(1);
  const blocked = first.report.findings
    .filter(({ severity }) => severity === 'blocking')
    .flatMap(({ sites }) => sites.filter(({ role }) => role === 'consumer').map(({ file }) => file));
  for (const { name } of compilers) expect(blocked, name).toContain(consumers[name]);
  expect(first.report.checkers?.map(({ name }) => name)).toEqual(compilers.map(({ name }) => name));
  // Answers are cached by tree: the same findings again, without a run.
  const second = await ask();
  expect(second.report.findings).toEqual(first.report.findings);
});

test('a class compiled for another tree is not found in a tree that lacks it', async () => {
  const repository = new GitRepository();
  const used = (name: string) =>
    lines('package app;', `public class ${name} {`, `  static Object value() { return new Gone(); }`, '}');
  repository.commit({
    'src/app/Gone.java': lines('package app;', 'class Gone {}'),
    'src/app/Old.java': used('Old'),
  });
  repository.branch('a', { 'src/app/Gone.java': null, 'src/app/Old.java': null });
  repository.branch('b', { 'src/app/New.java': used('New') });
  const { stdout } = await joinery(['check', 'main', 'a', 'b', '--confirm', 'types', '--json'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  const { findings } = CheckReport.parse(JSON.parse(stdout));
  expect(findings.map(({ rule, witness }) => [rule, /javac:error/.test(witness.output)])).toEqual([
    ['S01', true],
  ]);
});
