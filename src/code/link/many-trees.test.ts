import { describe, expect, test } from 'vitest';
import { createPythonResolver } from '#code/languages/python/resolve/resolve-python.ts';
import { createTypeScriptResolver } from '#code/languages/typescript/resolve/resolve-typescript.ts';
import { type MemoryTree, memoryTree } from '#code/resolve/memory-tree.ts';
import type { Documents } from '#code/resolve/tree.ts';
import { json } from '#test/support/resolution.ts';

/** A workspace of 100 packages with 100 files each, in TypeScript and Python. */
function largeTree(): MemoryTree {
  const files: Record<string, string> = {
    'package.json': json({ workspaces: ['packages/*'] }),
    'tsconfig.json': json({ compilerOptions: { paths: { '@/*': ['./packages/p0/*'] } } }),
    'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["packages"]',
  };
  for (let index = 0; index < 10_000; index += 1) {
    const folder = `packages/p${index % 100}`;
    files[`${folder}/package.json`] = json({ name: `@w/p${index % 100}`, main: './dist/index.js' });
    files[`${folder}/__init__.py`] = '';
    files[`${folder}/src/f${index}.ts`] = '';
    files[`${folder}/src/index.ts`] = '';
  }
  return memoryTree(files);
}

const { tree, documents, documentPaths } = largeTree();

function counting(source: Documents): Documents & { readonly reads: () => number } {
  let count = 0;
  return {
    reads: () => count,
    text(blob) {
      count += 1;
      return source.text(blob);
    },
  };
}

describe('resolvers of many trees', () => {
  test('read each document once while they share one Documents object', () => {
    const shared = counting(documents);
    const answers = () => [
      createTypeScriptResolver(tree, shared, documentPaths).resolve('@w/p7', 'packages/p1/src/f1.ts'),
      createPythonResolver(tree, shared, documentPaths, { roots: [] }).resolve('p7', 'packages/p1/x.py'),
    ];
    const first = answers();
    const reads = shared.reads();
    expect(reads).toBeGreaterThan(100);
    expect(answers()).toEqual(first);
    expect(shared.reads()).toBe(reads);
  });

  test('see the packages of their own tree', () => {
    const manifest = (name: string) => ({
      'package.json': json({ workspaces: ['p'] }),
      'p/package.json': json({ name }),
      'p/index.ts': '',
    });
    const before = memoryTree(manifest('before'));
    const after = memoryTree(manifest('after'));
    const shared = { text: (blob: string) => before.documents.text(blob) ?? after.documents.text(blob) };
    for (const [memory, name] of [
      [before, 'before'],
      [after, 'after'],
      [before, 'before'],
    ] as const) {
      const { resolve } = createTypeScriptResolver(memory.tree, shared, memory.documentPaths);
      expect(resolve(name, 'x.ts')).toMatchObject({ status: 'found', path: 'p/index.ts' });
      expect(resolve(name === 'before' ? 'after' : 'before', 'x.ts').status).toBe('external');
    }
  });

  test('see what was loaded since another resolver needed it', () => {
    const texts = new Map<string, string>();
    const memory = memoryTree({
      'package.json': json({ workspaces: ['p'] }),
      'p/package.json': json({ name: 'p' }),
      'p/index.ts': '',
    });
    const waiting = { text: (blob: string) => texts.get(blob) };
    const status = () =>
      createTypeScriptResolver(memory.tree, waiting, memory.documentPaths).resolve('p', 'x.ts').status;
    for (const path of memory.documentPaths) {
      expect(status(), path).toBe('unknown');
      const blob = memory.tree.blob(path) ?? '';
      texts.set(blob, memory.documents.text(blob) ?? '');
    }
    expect(status()).toBe('found');
  });

  test('answer a hundred thousand repeated questions in well under a second', () => {
    const { resolve } = createTypeScriptResolver(tree, documents, documentPaths);
    const questions = Array.from({ length: 100_000 }, (_, index) => {
      const specifiers = [
        `./f${(index + 100) % 10_000}`,
        `@w/p${index % 100}`,
        'react',
        `./gone${index % 7}`,
      ];
      return [specifiers[index % 4] ?? '', `packages/p${index % 100}/src/f${index % 10_000}.ts`] as const;
    });
    const ask = () =>
      questions.filter(([specifier, from]) => resolve(specifier, from).status === 'found').length;
    const found = ask();
    const start = process.cpuUsage();
    expect(ask()).toBe(found);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(1);
  });
});
