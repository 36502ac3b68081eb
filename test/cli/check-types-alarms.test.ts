import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    jsx: 'react-jsx',
    types: [],
    noEmit: true,
  },
  include: ['src'],
});

function repositoryOf(files: Files, branches: Readonly<Record<string, Files>>): GitRepository {
  const repository = new GitRepository();
  repository.commit({ '.gitignore': 'node_modules\n', 'tsconfig.json': tsconfig, ...files });
  for (const [name, changes] of Object.entries(branches)) repository.branch(name, changes);
  return repository;
}

async function check(repository: GitRepository) {
  const cache = temporaryFolder();
  const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
  const { code, stdout } = await joinery(['check', '--json'], { cwd: repository.dir, env });
  const report = CheckReport.strict().parse(JSON.parse(stdout));
  return {
    code,
    report,
    found: report.findings.map(({ rule, branches, severity }) => [rule, ...branches, severity]),
  };
}

/**
 * TypeScript 5.9 as the project's own compiler, with one additional diagnostic for a file if the program contains both
 * `one.tsx` and `two.tsx` with a comment on top.
 */
function sayingOfUnions(code: number, message: string): Files {
  const real = createRequire(import.meta.url).resolve('typescript-5.9');
  return {
    'node_modules/typescript/package.json': '{"name":"typescript","version":"5.9.3"}',
    'node_modules/typescript/lib/typescript.js': `
      const ts = require(${JSON.stringify(real)});
      const createProgram = (options) => {
        const program = ts.createProgram(options);
        const file = (name) => program.getSourceFiles().find(({ fileName }) => fileName.endsWith(name));
        const told = ['one.tsx', 'two.tsx'].every((name) => file(name)?.text.startsWith('//'));
        const own = program.getSemanticDiagnostics;
        program.getSemanticDiagnostics = (source) => [
          ...own.call(program, source),
          ...(told ? [{
            category: 1, code: ${code}, messageText: ${JSON.stringify(message)},
            file: file('one.tsx'), start: 0, length: 1,
          }] : []),
        ];
        return program;
      };
      module.exports = { ...ts, createProgram, getDefaultLibFileName: ts.getDefaultLibFileName };`,
  };
}

const component = (name: string) => `export const ${name} = () => 1;\n`;
const twoComments = () =>
  repositoryOf(
    { 'src/one.tsx': component('One'), 'src/two.tsx': component('Two') },
    {
      a: { 'src/one.tsx': `// a\n${component('One')}` },
      b: { 'src/two.tsx': `// b\n${component('Two')}` },
    },
  );

test.each([
  [2875, "This JSX tag requires the module path 'react/jsx-runtime' to exist, but none could be found."],
  [2307, "Cannot find module 'react' or its corresponding type declarations."],
  [7016, "Could not find a declaration file for module 'react'."],
  [2688, "Cannot find type definition file for 'node'."],
  [6053, "File 'node_modules/base/tsconfig.json' not found."],
  [2591, "Cannot find name 'process'. Do you need to install type definitions for node?"],
])('TS%s, only in a union, is about what is installed and no finding: %s', async (code, message) => {
  const repository = twoComments();
  repository.write(sayingOfUnions(code, message));
  const { found, report, code: exit } = await check(repository);
  expect(report.checkers).toMatchObject([{ origin: 'project', version: '5.9.3' }]);
  expect({ found, exit }).toEqual({ found: [], exit: 0 });
});

test.each([
  [2307, "Cannot find module './gone' or its corresponding type declarations."],
  [2554, 'Expected 2 arguments, but got 1.'],
])('TS%s, only in a union, is about code and a finding: %s', async (code, message) => {
  const repository = twoComments();
  repository.write(sayingOfUnions(code, message));
  const { found, code: exit } = await check(repository);
  expect({ found, exit }).toEqual({ found: [['V01', 'a', 'b', 'blocking']], exit: 1 });
});

test('a missing package of the repository itself is about code', async () => {
  const repository = twoComments();
  const member = (name: string) => ({
    'packages/kit/package.json': JSON.stringify({ name, version: '1.0.0', main: 'index.ts' }),
  });
  repository.commit({
    'package.json': '{"name":"all","private":true,"workspaces":["packages/*"]}',
    ...member('@all/kit'),
    'packages/kit/index.ts': 'export const kit = 1;\n',
  });
  repository.branch('c', member('@all/tools'));
  repository.write(sayingOfUnions(2307, "Cannot find module '@all/kit' or its type declarations."));
  const { found } = await check(repository);
  expect(found).toEqual([['V01', 'a', 'b', 'blocking']]);
});

/** TypeScript 5 stops guessing after ten errors: which of them end with "Did you mean" depends on the other errors. */
test('debt with other wording in the union is still debt', async () => {
  const numbers = Array.from({ length: 14 }, (_, index) => String(index + 10));
  const debt = Object.fromEntries(
    numbers.map((number) => [
      `src/f${number}.ts`,
      `export const total${number} = 1;\nexport const twice = totl${number};\n`,
    ]),
  );
  const repository = repositoryOf(
    {
      ...debt,
      'tsconfig.json': tsconfig.replace('"bundler"', '"node10"').replace('esnext', 'commonjs'),
      'src/other.ts': 'export {};\n',
    },
    {
      a: { 'src/a.ts': 'export const first = 1;\nexport const own = firts;\n' },
      b: { 'src/other.ts': '// b\nexport {};\n' },
    },
  );
  const { report, found, code } = await check(repository);
  expect(report.checkers?.[0]?.version).toMatch(/^5\.9\./);
  expect({ found, code }).toEqual({ found: [], code: 0 });
});

test('a likely finding that the compiler proves blocks', async () => {
  const before =
    'export function pad(width: number, text: string): string {\n  return text.padEnd(width);\n}\n';
  const repository = repositoryOf(
    { 'src/pad.ts': before },
    {
      a: { 'src/pad.ts': before.replace('width: number, text: string', 'text: string, width: number') },
      b: { 'src/use.ts': "import { pad } from './pad';\nexport const padded = pad(3, 'x');\n" },
    },
  );
  const { found, code, report } = await check(repository);
  expect({ found, code }).toEqual({ found: [['S06', 'a', 'b', 'blocking']], code: 1 });
  expect(report.findings[0]?.witness.output).toMatch(/TS2345/);
});
