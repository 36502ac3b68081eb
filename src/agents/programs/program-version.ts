import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { allowedEnvironment } from '#process/allowed-environment.ts';
import { askProgram } from '#process/ask-program.ts';

const patienceMs = 10_000;
const maxBytes = 64 * 1024;
const known = new Map<string, Promise<string | null>>();

/** The version a program prints; asked once per process. Null if it does not answer. */
export function programVersion(program: string): Promise<string | null> {
  const asked = known.get(program) ?? ask(program);
  known.set(program, asked);
  return asked;
}

async function ask(program: string): Promise<string | null> {
  const said = await askProgram({
    argv: [resolve(program), '--version'],
    // Not in the project: its files must not influence a program that is only asked for its version.
    cwd: tmpdir(),
    // It needs no secret either.
    env: allowedEnvironment(process.env as Record<string, string>),
    timeoutMs: patienceMs,
    maxBytes,
  });
  return /(?<!\d)\d+\.\d+[\w.+-]*/.exec(said ?? '')?.[0] ?? null;
}
