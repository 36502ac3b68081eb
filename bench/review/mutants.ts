import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutantsOf } from '#tests/mutate/mutants-of.ts';
import { judge, renderTable } from '../table.ts';

/** What decides about findings, and nothing that talks to anybody. */
const validators = ['triage', 'consensus', 'findings', 'proof', 'rework', 'challenge', 'audit', 'intent'];
const limit = 85;
const repository = fileURLToPath(new URL('../../', import.meta.url));

interface Tried extends Mutant {
  readonly file: string;
  readonly isKilled: boolean;
}

/** Changes our own validators a little, one place at a time, and runs the tests beside them. */
export async function runMutants(root: string, perFile: number): Promise<string> {
  const copy = join(root, 'copy');
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(repository, name), join(copy, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'vitest.config.js'), 'export default { test: { retry: 0, isolate: false } };\n');
  const tried: Tried[] = [];
  for (const folder of validators) {
    if (!passes(copy, folder)) throw new Error(`the tests of review/${folder} fail without a mutant`);
    for (const file of sourcesIn(join(copy, 'src/review', folder)))
      tried.push(...(await tryFile(copy, folder, file, perFile)));
  }
  const rows = validators.map((folder) => {
    const own = tried.filter(({ file }) => file.startsWith(`${folder}/`));
    const killed = own.filter(({ isKilled }) => isKilled).length;
    return [`review/${folder}`, String(own.length), String(killed), percent(killed, own.length), ''];
  });
  const killed = tried.filter(({ isKilled }) => isKilled).length;
  const score = (100 * killed) / Math.max(1, tried.length);
  const all = [
    'all',
    String(tried.length),
    String(killed),
    percent(killed, tried.length),
    judge(score >= limit),
  ];
  const survivors = tried
    .filter(({ isKilled }) => !isKilled)
    .map(({ file, line, was, becomes }) => `  ${file}:${line} ${flat(was)} → ${flat(becomes)}`);
  return [
    renderTable(
      ['validators', 'mutants', 'noticed by tests', 'score', `at least ${limit} %`],
      [...rows, all],
    ),
    ...(survivors.length > 0 ? ['', 'Not noticed:', ...survivors] : []),
  ].join('\n');
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
}

async function tryFile(copy: string, folder: string, name: string, most: number): Promise<Tried[]> {
  const path = join(copy, 'src/review', folder, name);
  const text = readFileSync(path, 'utf8');
  const lines = new Set(Array.from({ length: text.split('\n').length }, (_, index) => index + 1));
  const tried: Tried[] = [];
  for (const mutant of await mutantsOf(text, 'ts', lines, most)) {
    writeFileSync(path, mutant.text);
    tried.push({ ...mutant, file: `${folder}/${name}`, isKilled: !passes(copy, folder) });
  }
  writeFileSync(path, text);
  return tried;
}

/** A mutant that never ends is noticed, too. */
function passes(copy: string, folder: string): boolean {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', `src/review/${folder}/`, '--bail', '1', '--maxWorkers', '1'];
  return spawnSync(process.execPath, args, { cwd: copy, timeout: 60_000, stdio: 'ignore' }).status === 0;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 60);
}
