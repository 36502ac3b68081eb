import { expect, test } from 'vitest';
import { checkIn } from '#test/support/check-in.ts';
import { GitRepository } from '#test/support/git-repository.ts';

test('a key that two branches add to a lock file is not a finding', async () => {
  const repository = new GitRepository();
  const middle = Array.from({ length: 9 }, (_, at) => `  k${at}: 1\n`).join('');
  repository.commit({ 'pnpm-lock.yaml': `packages:\n${middle}`, 'data.yaml': `packages:\n${middle}` });
  const top = `packages:\n  left: 1\n${middle}`;
  const end = `packages:\n${middle}  left: 1\n`;
  repository.branch('a', { 'pnpm-lock.yaml': top, 'data.yaml': top });
  repository.branch('b', { 'pnpm-lock.yaml': end, 'data.yaml': end });
  const { findings } = await checkIn(repository, 'main', 'a', 'b');
  expect(findings.map(({ rule, sites }) => `${rule} ${sites[0]?.file}`)).toEqual(['T06 data.yaml']);
});
