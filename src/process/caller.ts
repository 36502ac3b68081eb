import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { boxMark } from './box.ts';
import { attemptVariable, guardedVariable } from './sweep.js';

/** Who started this process: a person, or a program of the work. */
export type Caller =
  | { readonly kind: 'person' }
  | {
      readonly kind: 'work';
      /** `<run>/<task>/<attempt>` and its start; empty where only the sandbox shows it. */
      readonly mark: string;
      /** The program that called, and its number: `node run.js (pid 4711)`. */
      readonly process: string;
      readonly evidence: 'environment' | 'ancestry' | 'sandbox';
    };

/** What a person's shell never has. */
const marks = [attemptVariable, guardedVariable];

const mostAncestors = 100;
const longestName = 120;

/**
 * Work is recognized by its environment, by the environments of the processes above it, and by the sandbox it runs in. A program outside a
 * sandbox can shed the first two: then nothing shows who called.
 */
export function callerHere(
  env: Readonly<Record<string, string | undefined>> = process.env,
  // Where Node is too old, another one was started: the caller is one further up.
  pid = env.JOINERY_NODE_FOLDER === undefined ? process.ppid : parentOf(process.ppid),
): Caller {
  const own = marks.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  if (own !== undefined) return { kind: 'work', mark: own, process: nameOf(pid), evidence: 'environment' };
  if (existsSync(boxMark)) return { kind: 'work', mark: '', process: nameOf(pid), evidence: 'sandbox' };
  let at = pid;
  for (let depth = 0; at > 0 && depth < mostAncestors; depth++) {
    const mark = markIn(read(`/proc/${at}/environ`));
    if (mark !== null) return { kind: 'work', mark, process: nameOf(pid), evidence: 'ancestry' };
    at = parentOf(at);
  }
  return { kind: 'person' };
}

function markIn(environment: string): string | null {
  for (const name of marks) {
    const found = `\0${environment}`.split(`\0${name}=`)[1]?.split('\0', 1)[0];
    if (found !== undefined && found !== '') return found;
  }
  return null;
}

/** The fields follow the name, which may contain anything. */
function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function nameOf(pid: number): string {
  const [program = '', ...words] = read(`/proc/${pid}/cmdline`).split('\0');
  // Options of a runtime are long and say nothing: `node --import x run.js`.
  const named = [basename(program), ...words.filter((word) => !word.startsWith('-'))].join(' ').trim();
  return `${named.slice(0, longestName) || 'a process'} (pid ${pid})`;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
