import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { sameVerdict } from '../support/repeated-checks.ts';
import { sample } from '../support/sampling.ts';

const { numRuns } = sample('the same commits get the same verdict of TypeScript', { normal: 1, soak: 50 });

const settings = (moduleResolution: string, module: string) =>
  JSON.stringify({
    compilerOptions: { strict: true, module, moduleResolution, target: 'es2022', types: [], noEmit: true },
    include: ['src'],
  });

/** A conflict, debt of the base in more files than a compiler has guesses for, and debt of a branch. */
function project(tsconfig: string): GitRepository {
  const repository = new GitRepository();
  const debt = Array.from({ length: 12 }, (_, index) => [
    `src/debt${index}.ts`,
    `import pad from 'left-pad';\nexport const total${index} = pad(1);\nexport const twice = totl${index};\n`,
  ]);
  const user = 'export interface User { name: string }\nexport const load = (): User => ({ name: "" });\n';
  repository.commit({ 'tsconfig.json': tsconfig, 'src/user.ts': user, ...Object.fromEntries(debt) });
  repository.branch('a', { 'src/user.ts': user.replace('name: string', 'name: string | null') });
  repository.branch('b', {
    'src/shout.ts': "import { load } from './user';\nexport const shout = () => load().name.toUpperCase();\n",
  });
  repository.branch('c', { 'src/own.ts': 'export const first = 1;\nexport const own: string = firts;\n' });
  return repository;
}

test.each([
  ['7', settings('bundler', 'esnext'), /^7\./],
  ['5.9', settings('node10', 'commonjs'), /^5\.9\./],
])(
  'TypeScript %s gives the same verdict on the same commits: cold, warm and two at once',
  { timeout: 120_000 * numRuns },
  async (_, tsconfig, version) => {
    const { code, findings, checkers } = await sameVerdict(project(tsconfig), numRuns);
    expect(checkers?.[0]?.version).toMatch(version);
    expect({ code, found: findings.map(({ rule, branches }) => [rule, ...branches]) }).toEqual({
      code: 1,
      found: [['V01', 'a', 'b']],
    });
  },
);
