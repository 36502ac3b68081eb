import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkBranches } from '#check/check.ts';
import { openRepository } from '#git/call/repository.ts';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

const branches = ['a', 'b', 'c', 'd'];
const modules = ['one', 'two', 'three', 'four'];

/** One module of each language, small enough that every change can interact with every other. */
function typescript(name: string, variant: number): string {
  const next = modules[(modules.indexOf(name) + 1 + (variant % 2)) % modules.length] ?? 'one';
  const parameter = variant % 3 === 0 ? 'a: number, b: number' : 'a: number';
  return [
    `import { ${next}Of${variant % 5 === 4 ? 'Gone' : ''} } from './${next}${variant % 7 === 6 ? '-gone' : ''}';`,
    ...(variant % 4 === 1 ? ["export * from './index';"] : []),
    `export function ${name}Of(${parameter}) {\n  return ${next}Of(a);\n}`,
    `export class ${name}Class {\n  field${variant % 2} = ${variant};\n}`,
    '',
  ].join('\n');
}

function python(name: string, variant: number): string {
  const next = modules[(modules.indexOf(name) + 1 + (variant % 2)) % modules.length] ?? 'one';
  return [
    `from pkg.${next}${variant % 6 === 5 ? '.deep' : ''} import ${next}_of`,
    `def ${name}_of(a${variant % 3 === 0 ? ', b' : ''}):\n    return ${next}_of(a)`,
    '',
  ].join('\n');
}

const base = {
  'src/index.ts': modules.map((name) => `export * from './${name}';\n`).join(''),
  'package.json': '{ "name": "base" }\n',
  'pkg/__init__.py': '',
  ...Object.fromEntries(modules.map((name) => [`src/${name}.ts`, typescript(name, 1)])),
  ...Object.fromEntries(modules.map((name) => [`pkg/${name}.py`, python(name, 1)])),
};

const step = fc.record({
  branch: fc.constantFrom(...branches, 'main'),
  path: fc.constantFrom(
    ...modules.flatMap((name) => [`src/${name}.ts`, `pkg/${name}.py`]),
    'src/one/index.ts',
    'src/two-gone.ts',
    'src/extra.ts',
    'src/index.ts',
    'pkg/one/__init__.py',
    'pkg/extra.py',
    'pkg/__init__.py',
    'tsconfig.json',
    'package.json',
  ),
  variant: fc.nat(41),
  deletes: fc.boolean(),
  moves: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function contentOf(path: string, variant: number): string {
  const name = modules.find((each) => path.includes(each)) ?? 'one';
  if (path === 'tsconfig.json')
    return JSON.stringify({ compilerOptions: { paths: { [`./${name}`]: ['./src/two'] } } });
  if (path === 'package.json') return JSON.stringify({ name: `base${variant}` });
  // Blank lines above move everything down without a meaning.
  const blank = '\n'.repeat(variant % 3);
  return path.endsWith('.py') ? `${blank}${python(name, variant)}` : `${blank}${typescript(name, variant)}`;
}

/** A file is written, deleted, or moved unchanged into a subfolder. */
function changeOf({ path, variant, deletes, moves }: Step, dir: string): Files {
  if (deletes && variant % 3 === 0) return { [path]: null };
  const file = join(dir, path);
  if (moves && variant % 3 === 1 && existsSync(file))
    return { [path]: null, [path.replace(/[^/]+$/, 'moved/$&')]: readFileSync(file, 'utf8') };
  return { [path]: contentOf(path, variant) };
}

test('cached results of earlier checks never change a report', async () => {
  const { seed, numRuns } = sample('histories checked with a warm and a cold cache', {
    normal: 4,
    soak: 100,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
      const repository = new GitRepository();
      repository.commit(base);
      for (const branch of branches) repository.git('branch', branch);
      const opened = await openRepository(repository.dir);
      const warm = temporaryFolder();
      for (const one of steps) {
        repository.git('checkout', '-q', one.branch, '--');
        repository.commit(changeOf(one, repository.dir));
        const check = (cacheDir: string) =>
          checkBranches({ repository: opened, base: 'main', branches, cacheDir, today: '2026-01-01' });
        const [remembered, fresh] = [await check(warm), await check(join(temporaryFolder(), 'cold'))];
        expect(remembered.report).toEqual(fresh.report);
        expect([...remembered.frames]).toEqual([...fresh.frames]);
      }
    }),
    { seed, numRuns, endOnFailure: true },
  );
}, 3_600_000);
