import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { lend, workBox } from './box.ts';
import { inBubblewrap } from './bubblewrap.ts';
import { containmentHere, describeContainment } from './containment.ts';
import { gitFolders } from './git-folders.ts';
import { refusedIn } from './refused.ts';
import { holdsLogin } from './tool-folders.ts';

function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function argumentsFor(home: string, tree: string, more: Parameters<typeof workBox>[2] = {}): string {
  const env = { HOME: home, PATH: '/usr/bin:/bin' };
  return inBubblewrap({ argv: ['true'], cwd: tree, env }, workBox(tree, env, more)).argv.join(' ');
}

describe('what a program in the sandbox is shown', () => {
  test.each([
    ['cargo', '.cargo/registry/x', '.cargo/credentials.toml'],
    ['Go', 'go/pkg/mod/x', '.config/go/telemetry/x'],
    ['Maven', '.m2/repository/x', '.m2/settings-security.xml'],
    ['Gradle', '.gradle/caches/x', '.gradle/init.d/login.gradle'],
    ['NuGet', '.nuget/packages/x', '.config/NuGet/NuGet.Config'],
    ['pyenv', '.pyenv/versions/x', '.pypirc'],
    ['pip', '.cache/pip/x', '.netrc'],
    ['pnpm', '.local/share/pnpm/x', '.config/pnpm/rc'],
    ['npm', '.npm/_cacache/x', '.npm/_logs/x'],
    ['nvm', '.nvm/versions/x', '.ssh/id_test'],
    ['volta', '.volta/bin/x', '.aws/credentials'],
    ['asdf', '.asdf/installs/x', '.config/gh/hosts.yml'],
  ])('%s: its packages, and not the login beside them', (_, shown, kept) => {
    const home = write(temporaryFolder(), { [shown]: '', [kept]: '' });
    const line = argumentsFor(home, temporaryFolder());
    const folders = [...line.matchAll(/--ro-bind (\S+) /g)].map(([, path]) => path ?? '');
    const isShown = (path: string) => folders.some((folder) => join(home, path).startsWith(folder));
    expect([isShown(shown), isShown(kept)]).toEqual([true, false]);
    expect(line).toContain(`--tmpfs ${home} `);
  });

  test('settings are shown unless they hold a login', () => {
    const home = write(temporaryFolder(), {
      '.cargo/config.toml': '[source.crates-io]\nreplace-with = "mirror"\n',
      '.npmrc': '//registry.npmjs.org/:_authToken=abc\n',
    });
    const line = argumentsFor(home, temporaryFolder());
    expect(line).toContain(join(home, '.cargo/config.toml'));
    expect(line).not.toContain('.npmrc');
    expect(['https://me:pw@host/x', 'password = x', 'registry=https://host/'].map(holdsLogin)).toEqual([
      ...[true, true, false],
    ]);
  });

  test('a folder that was linked instead of copied, and no other link', () => {
    const main = write(temporaryFolder(), { 'node_modules/x': '', 'private/x': '' });
    const tree = temporaryFolder();
    symlinkSync(join(main, 'private'), join(tree, 'private'));
    expect(argumentsFor(main, tree)).not.toContain(join(main, 'node_modules'));
    lend(tree, join(main, 'node_modules'));
    expect(argumentsFor(main, tree)).toContain(`--ro-bind ${join(main, 'node_modules')} `);
    expect(argumentsFor(main, tree)).not.toContain(join(main, 'private'));
  });

  test('nothing is written through a link that work left in place of a folder', () => {
    const [home, tree, cache] = [temporaryFolder(), temporaryFolder(), join(temporaryFolder(), 'cache')];
    symlinkSync(home, cache);
    expect(argumentsFor(home, tree, { writable: [cache] })).not.toContain(`--bind ${home}`);
  });

  test('the network only where it is allowed', () => {
    const [home, tree] = [temporaryFolder(), temporaryFolder()];
    expect(argumentsFor(home, tree)).toContain('--unshare-net');
    expect(argumentsFor(home, tree, { network: true })).not.toContain('--unshare-net');
  });
});

describe('the history that a program may read', () => {
  test('of a worktree is the one that git itself links back', () => {
    const repository = new GitRepository();
    repository.commit({ 'a.txt': 'a\n' });
    const tree = `${repository.dir}-tree`;
    repository.git('worktree', 'add', '-q', tree);
    expect(gitFolders(tree)).toEqual([join(repository.dir, '.git')]);
    expect(gitFolders(repository.dir)).toEqual([join(repository.dir, '.git')]);
  });

  test('is none where the work invents one, to have a private folder shown', () => {
    const secret = write(temporaryFolder(), { id_test: 'a key' });
    const tree = temporaryFolder();
    write(tree, {
      '.git': 'gitdir: ./own/worktrees/x\n',
      'own/worktrees/x/gitdir': `${tree}/.git\n`,
      'own/worktrees/x/commondir': `${secret}\n`,
    });
    expect(gitFolders(tree)).toEqual([]);
    const other = write(temporaryFolder(), { '.git/objects/info/alternates': `${secret}\n` });
    expect(gitFolders(other)).toEqual([join(other, '.git')]);
  });
});

test('what a failed program was refused is named, with the line that says so', () => {
  const home = write(temporaryFolder(), { '.tool/settings': '' });
  const box = { tree: '/w', network: false };
  const find = (program: string) => (program === 'mytool' ? '/home/me/bin/mytool' : null);
  const refused = (line: string) => refusedIn(line, box, find, home).map((text) => text.split(': ')[0]);
  expect(refused('Error: getaddrinfo EAI_AGAIN registry.npmjs.org')).toEqual(['the network']);
  expect(refused("OSError: [Errno 30] Read-only file system: '/srv/x'")).toEqual([
    'a write outside its folder',
  ]);
  expect(refused('sh: 1: mytool: not found')).toEqual(['the program mytool']);
  expect(refused('sh: 1: nobody: not found')).toEqual([]);
  expect(refused(`ENOENT: no such file or directory, open '${home}/.tool/settings'`)).toEqual([
    `the file ${home}/.tool/settings`,
  ]);
  expect(refused('AssertionError: 1 != 2')).toEqual([]);
  expect(refusedIn('getaddrinfo ENOTFOUND x', { tree: '/w', network: true }, find, home)).toEqual([]);
});

test('a person who wants no sandbox is named as the reason', () => {
  expect(describeContainment(containmentHere({ JOINERY_SANDBOX: 'off' }))).toBe(
    'not contained (JOINERY_SANDBOX=off or --no-sandbox)',
  );
});
