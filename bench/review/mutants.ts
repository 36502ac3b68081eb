import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutantsOf } from '#tests/mutate/mutants-of.ts';
import { judge, renderTable } from '../table.ts';
import type { TestQuestion } from './test-host.ts';

/** The modules that decide about findings, without those that talk to agents. */
const validators = ['triage', 'consensus', 'findings', 'proof', 'rework', 'challenge', 'audit', 'intent'];
const limit = 85;
const longestMs = 60_000;
const hostProgram = fileURLToPath(new URL('./test-host.ts', import.meta.url));
const repository = fileURLToPath(new URL('../../', import.meta.url));

interface Tried extends Mutant {
  readonly file: string;
  readonly isKilled: boolean;
}

/** Mutates our own validators, one place at a time, and runs the tests beside them. */
export async function runMutants(root: string, perFile: number, folders = validators): Promise<string> {
  const copy = join(root, 'copy');
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(repository, name), join(copy, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  const tried: Tried[] = [];
  const tests = new Tests(copy);
  for (const folder of folders) {
    // On a busy machine the first start may exceed the time limit of a mutant.
    const isGreen = async () => await tests.pass({ folder, changed: null });
    if (!(await isGreen()) && !(await isGreen()))
      throw new Error(`the tests of review/${folder} fail without a mutant`);
    for (const file of sourcesIn(join(copy, 'src/review', folder)))
      tried.push(...(await tryFile(tests, copy, folder, file, perFile)));
  }
  tests.close();
  const rows = folders.map((folder) => {
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
  const survivors = tried.filter(({ isKilled }) => !isKilled).map((one) => `  ${placeOf(one)}`);
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

async function tryFile(
  tests: Tests,
  copy: string,
  folder: string,
  name: string,
  most: number,
): Promise<Tried[]> {
  const path = join(copy, 'src/review', folder, name);
  const text = readFileSync(path, 'utf8');
  const lines = new Set(Array.from({ length: text.split('\n').length }, (_, index) => index + 1));
  const tried: Tried[] = [];
  for (const mutant of await mutantsOf(text, 'ts', lines, most)) {
    writeFileSync(path, mutant.text);
    const one = {
      ...mutant,
      file: `${folder}/${name}`,
      isKilled: !(await tests.pass({ folder, changed: path })),
    };
    tried.push(one);
    // A full run takes long, so each survivor is printed at once.
    if (!one.isKilled) console.error(`not noticed: ${placeOf(one)}`);
  }
  writeFileSync(path, text);
  await tests.pass({ folder, changed: path });
  return tried;
}

/** Tests in a separate process, restarted after a mutant that never ends, which counts as noticed too. */
class Tests {
  readonly #copy: string;
  #host: ChildProcess | null = null;

  constructor(copy: string) {
    this.#copy = copy;
  }

  async pass(question: TestQuestion): Promise<boolean> {
    this.#host ??= fork(hostProgram, [this.#copy], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const host = this.#host;
    host.send(question);
    try {
      const [isGreen] = await once(host, 'message', { signal: AbortSignal.timeout(longestMs) });
      return isGreen === true;
    } catch {
      host.kill('SIGKILL');
      this.#host = null;
      return false;
    }
  }

  close(): void {
    this.#host?.disconnect();
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`;
}

function placeOf({ file, line, was, becomes }: Tried): string {
  return `${file}:${line} ${flat(was)} → ${flat(becomes)}`;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 60);
}
