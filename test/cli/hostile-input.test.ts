import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { joinery } from '../support/joinery.ts';

function project(files: Readonly<Record<string, string>> = {}): GitRepository {
  const made = new GitRepository();
  made.commit({ 'a.ts': 'export const a = 1;\n', ...files });
  return made;
}

test.each([
  ['a device', '/dev/zero', 'it is no regular file'],
  ['a task that reads as an option', 'dash.json', 'does not begin with a letter'],
])('%s is no plan: exit 3, one line', async (_, plan, why) => {
  const { dir } = project();
  const tasks = [{ id: '-dash', title: 'x' }];
  writeFileSync(join(dir, 'dash.json'), JSON.stringify({ schema: 'joinery/plan@1', tasks }));
  writeFileSync(join(dir, 's.json'), '{"schema":"joinery/scenario@1","attempts":[]}');
  const { code, stderr } = await joinery(
    ['run', '--plan', plan, '--agent', 'scripted', '--scenario', 's.json'],
    { cwd: dir },
  );
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(why) });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a base that is a range is no commit: exit 3', async () => {
  const { dir } = project();
  writeFileSync(join(dir, 'p.json'), '{"schema":"joinery/plan@1","tasks":[{"id":"a","title":"x"}]}');
  writeFileSync(join(dir, 's.json'), '{"schema":"joinery/scenario@1","attempts":[]}');
  const args = ['run', '--plan', 'p.json', '--base', '^main', '--agent', 'scripted', '--scenario', 's.json'];
  const { code, stderr } = await joinery(args, { cwd: dir });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('there is no commit named') });
});

test('settings that are nested without end are told in one line', async () => {
  const { dir } = project();
  writeFileSync(join(dir, 'joinery.json'), '['.repeat(30_000) + ']'.repeat(30_000));
  const { code, stderr } = await joinery(['check'], { cwd: dir });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('levels deep') });
});

test('what a terminal would obey is shown as text, in warnings and errors', async () => {
  const { dir } = project({ 'joinery.json': '{"\\u001b[31mevil\\u202e":1}' });
  const { stderr } = await joinery(['check', 'ma\u202ein'], { cwd: dir });
  expect(stderr).toContain('\\u{202e}');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(stderr).not.toMatch(/[\u001b\u202e]/);
});

test('settings that are a link to a device are not read', async () => {
  const { dir } = project();
  symlinkSync('/dev/zero', join(dir, 'joinery.json'));
  const { code, stderr } = await joinery(['check'], { cwd: dir });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('it is no regular file') });
});
