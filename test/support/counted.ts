import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runNode, type Surroundings, temporaryFolder } from './joinery.ts';

const counter = pathToFileURL(fileURLToPath(new URL('./count.js', import.meta.url))).href;
/** The sources: how many files they are does not depend on the bundler. */
const command = fileURLToPath(new URL('../../bin/joinery.js', import.meta.url));

export interface Counted {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Command lines of the programs that were started, on all threads. */
  readonly programs: readonly string[];
  /** Files of Joinery that were loaded, below `src/`. */
  readonly modules: readonly string[];
  /** Blobs that were parsed, with the reader: `facts 1a2b…`. */
  readonly parsed: readonly string[];
  /** Questions that were worked out. */
  readonly answered: readonly string[];
}

/** Runs a command and counts what it does. The counts are the same on a busy machine. */
export async function counted(args: readonly string[], surroundings: Surroundings): Promise<Counted> {
  const file = join(temporaryFolder(), 'counts');
  const env = { ...surroundings.env, JOINERY_COUNT_FILE: file };
  const ended = await runNode(['--import', counter, command, ...args], { ...surroundings, env });
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(file, { force: true });
  const all = lines.map((line) => JSON.parse(line) as [kind: string, value: never]);
  const of = <Value>(kind: string) => all.flatMap(([each, value]) => (each === kind ? [value as Value] : []));
  return {
    ...ended,
    programs: of<string>('program'),
    modules: [...new Set(of<string>('module').flatMap((url) => /\/src\/(.*)$/.exec(url)?.[1] ?? []))],
    parsed: of<{ reader: string; blob: string }>('parsed').map(({ reader, blob }) => `${reader} ${blob}`),
    answered: of<unknown[]>('answered').map((question) => JSON.stringify(question)),
  };
}

/** Those that are there more than once. */
export function repeated(all: readonly string[]): string[] {
  return [...new Set(all.filter((each, at) => all.indexOf(each) !== at))];
}
