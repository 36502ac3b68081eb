import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Language } from '#code/facts/language.ts';
import { Git } from '#git/git.ts';
import type { Diagnosis } from '#schema/command-reports.ts';
import { isJoineryError } from '#schema/errors.ts';

/** `merge-tree --write-tree` appeared in this version. */
const GIT_FLOOR = '2.38';
const PROBE_LIMIT_MS = 10_000;

export async function diagnoseGit(): Promise<Diagnosis> {
  const hint = `install git ${GIT_FLOOR} or newer: https://git-scm.com/downloads`;
  try {
    const printed = await new Git().text(['--version']);
    const version = /\d+\.\d+(\.\d+)?/.exec(printed)?.[0] ?? '0';
    return isAtLeast(version, GIT_FLOOR)
      ? { name: 'git', status: 'pass', found: version, hint: '' }
      : { name: 'git', status: 'fail', found: `${version}, older than ${GIT_FLOOR}`, hint };
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    return { name: 'git', status: 'fail', found: error.message, hint };
  }
}

/** `floor` as in `engines`: `>=22.18`. */
export function diagnoseNode(version: string, floor: string): Diagnosis {
  const oldest = floor.replace(/^>=/, '');
  return isAtLeast(version, oldest)
    ? { name: 'node', status: 'pass', found: version, hint: '' }
    : { name: 'node', status: 'fail', found: `${version}, older than ${oldest}`, hint: 'nvm install 24' };
}

/** Small files that every parser can read; the loader behind each is the one that `check` uses. */
const PROBES = [
  { name: 'parser: TypeScript', file: 'probe.ts', text: 'export const probe: number = 1;\n' },
  { name: 'parser: Python', file: 'probe.py', text: 'probe: int = 1\n' },
];

export async function diagnoseParsers(): Promise<Diagnosis[]> {
  const { languageOf } = await import('#code/languages/index.ts');
  return Promise.all(PROBES.map(({ name, file, text }) => tryParser(name, languageOf(file), text)));
}

async function tryParser(name: string, language: Language | undefined, text: string): Promise<Diagnosis> {
  const hint = 'install joinery again, with the parser for this platform: npm install joinery';
  try {
    await language?.prepare();
    return language?.extract(text).syntaxError === null
      ? { name, status: 'pass', found: 'loads', hint: '' }
      : { name, status: 'fail', found: 'does not parse', hint };
  } catch (error) {
    return { name, status: 'fail', found: `does not load: ${(error as Error).message.split('\n')[0]}`, hint };
  }
}

/** The project's own compiler: it is the one that judges the project's code. */
export function diagnoseTypeScript(root: string | null): Diagnosis {
  const name = 'types: TypeScript';
  for (let folder = root; folder !== null; folder = dirname(folder) === folder ? null : dirname(folder)) {
    const manifest = join(folder, 'node_modules', 'typescript', 'package.json');
    if (!existsSync(manifest)) continue;
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    return { name, status: 'pass', found: `${version} in ${folder}`, hint: '' };
  }
  return {
    name,
    status: 'warn',
    found: 'not installed in this project; candidates are judged by facts alone',
    hint: 'npm install --save-dev typescript',
  };
}

export async function diagnosePython(): Promise<Diagnosis> {
  const name = 'types: Python';
  for (const binary of ['python3', 'python']) {
    try {
      const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: PROBE_LIMIT_MS });
      return { name, status: 'pass', found: `${stdout.trim()} (${binary})`, hint: '' };
    } catch {
      // The next name may be there.
    }
  }
  return {
    name,
    status: 'warn',
    found: 'no python3; candidates are judged by facts alone',
    hint: 'install Python 3: https://www.python.org/downloads',
  };
}

function isAtLeast(version: string, floor: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of floor.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
