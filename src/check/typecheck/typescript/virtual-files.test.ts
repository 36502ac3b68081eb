import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualFiles } from './virtual-files.ts';

/** A tree with these files and links, mounted at a real folder. */
function mounted(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
  packages: readonly string[] = ['node_modules'],
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'joinery-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const virtual = new VirtualFiles({ root, packages, own: [] });
  const entries = (of: Readonly<Record<string, string>>, kind: 'file' | 'symlink') =>
    Object.entries(of).map(([path, text]) => [path, { id: text, kind, text }] as const);
  virtual.setTree(new Map([...entries(files, 'file'), ...entries(links, 'symlink')]));
  return { root, virtual };
}

test('inside the mount only the tree is visible, whatever is on disk', () => {
  const { root, virtual } = mounted({ 'src/a.ts': 'tree' });
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.ts'), 'disk');
  writeFileSync(join(root, 'src/untracked.ts'), 'disk');
  expect(virtual.read(`${root}/src/a.ts`)).toBe('tree');
  expect(virtual.read(`${root}/src/untracked.ts`)).toBeNull();
  expect(virtual.hasFile(`${root}/src/untracked.ts`)).toBe(false);
  expect(virtual.list(`${root}/src/`)).toEqual({ files: ['a.ts'], directories: [] });
  expect(virtual.list(root)).toEqual({ files: [], directories: ['src'] });
  expect(virtual.hasFolder(`${root}/src/`)).toBe(true);
  expect(virtual.hasFolder(`${root}/none`)).toBe(false);
});

const absent = [null, false, false, { files: [], directories: [] }];

function seen(virtual: VirtualFiles, path: string) {
  return [virtual.read(path), virtual.hasFile(path), virtual.hasFolder(path), virtual.list(path)];
}

test('node_modules are read from disk, and nothing else outside the mount is visible', () => {
  const { root, virtual } = mounted({ 'a.ts': '', 'vendored/node_modules/dep/index.d.ts': 'tree' });
  mkdirSync(join(root, 'node_modules/dep'), { recursive: true });
  writeFileSync(join(root, 'node_modules/dep/index.d.ts'), '');
  expect(seen(virtual, `${root}/node_modules/dep/index.d.ts`)).toEqual(Array(4).fill(undefined));
  expect(virtual.read(`${root}/vendored/node_modules/dep/index.d.ts`)).toBe('tree');
  const outside = [`${root}-other/a.ts`, '/etc/passwd', '/dev/zero', `${root}/../x.ts`, '/', dirname(root)];
  const roundabout = [`${root}/node_modules/../../x.ts`, `${root}/node_modules/dep/../../../x.ts`];
  for (const path of [...outside, ...roundabout]) expect(seen(virtual, path)).toEqual(absent);
});

test('links of the tree are followed inside it, and never out of it', () => {
  const { root, virtual } = mounted(
    { 'real/deep/a.ts': 'a' },
    { linked: 'real', 'real/self': '../real/deep', out: '../elsewhere', absolute: '/etc', loop: 'loop' },
  );
  expect(virtual.read(`${root}/linked/self/a.ts`)).toBe('a');
  expect(virtual.realpath(`${root}/linked/self/a.ts`)).toBe(`${root}/real/deep/a.ts`);
  expect(virtual.list(root)?.directories.sort()).toEqual(['linked', 'real']);
  symlinkSync('/etc', join(root, 'absolute'));
  for (const path of [`${root}/out/a.ts`, `${root}/absolute/passwd`])
    expect(seen(virtual, path)).toEqual(absent);
  expect(virtual.hasFile(`${root}/loop/a.ts`)).toBe(false);
});

test('links in node_modules lead out of the mount only where the user made them', () => {
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'joinery-')));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  writeFileSync(join(elsewhere, 'index.d.ts'), '');
  for (const [packages, answer] of [
    [['node_modules'], undefined],
    [[], null],
  ] as const) {
    const { root, virtual } = mounted({ 'a.ts': '' }, {}, packages);
    mkdirSync(join(root, 'node_modules/dep'), { recursive: true });
    writeFileSync(join(root, 'node_modules/dep/index.d.ts'), '');
    symlinkSync(elsewhere, join(root, 'node_modules/link'));
    expect(virtual.read(`${root}/node_modules/dep/index.d.ts`)).toBeUndefined();
    expect(virtual.read(`${elsewhere}/index.d.ts`)).toBeNull();
    expect(virtual.read(`${root}/node_modules/link/index.d.ts`)).toBe(answer);
    expect(virtual.read(`${elsewhere}/index.d.ts`)).toBe(answer);
  }
});

test('a package that is a link into the checkout is read from the tree', () => {
  const { root, virtual } = mounted({ 'packages/lib/new.ts': 'tree' });
  mkdirSync(join(root, 'packages/lib'), { recursive: true });
  mkdirSync(join(root, 'node_modules/@own'), { recursive: true });
  symlinkSync('../../packages/lib', join(root, 'node_modules/@own/lib'), 'dir');
  expect(virtual.read(`${root}/node_modules/@own/lib/new.ts`)).toBe('tree');
  expect(virtual.realpath(`${root}/node_modules/@own/lib/new.ts`)).toBe(`${root}/packages/lib/new.ts`);
});
