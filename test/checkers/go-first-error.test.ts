import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const project = {
  'go.mod': 'module example.com/shop\n\ngo 1.19\n',
  'shop.go': 'package shop\n\nfunc Price(a int) int { return a }\n',
};

async function check(base: Readonly<Record<string, string>>, work: Readonly<Record<string, string>>) {
  const repository = new GitRepository();
  repository.commit({ ...project, ...base });
  repository.branch('change', { 'shop.go': 'package shop\n\nfunc Price(a int) string { return "" }\n' });
  repository.branch('use', work);
  const args = ['check', 'main', 'change', 'use', '--json', '--confirm', 'types'];
  const { code, stdout } = await joinery(args, {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  return { code, report: CheckReport.parse(JSON.parse(stdout)) };
}

const use = 'package shop\n\nfunc Total() int { return Price(1) }\n';

test('an error of base in the same package does not hide that the union does not compile', async () => {
  const { code, report } = await check(
    { 'a.go': 'package shop\n\nconst small uint8 = 300\n' },
    { 'use.go': use },
  );
  expect(code).toBe(1);
  expect(report.checkers?.map(({ name }) => name)).toEqual(['go vet']);
  expect(report.findings.map(({ rule, judge }) => [rule, judge])).toContainEqual(['V05', 'compiler:go']);
});

test('an error under the name of a file that does not exist is no pass', async () => {
  const { code, report } = await check({}, { 'use.go': use.replace('func', '//line zzz.go:1\nfunc') });
  expect(code).not.toBe(0);
  expect([
    ...report.inconclusive.map(({ check: name }) => name),
    ...report.findings.map(({ rule }) => rule),
  ]).not.toEqual([]);
});
