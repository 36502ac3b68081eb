import { execFile } from 'node:child_process';
import { agentEnvironment } from './agent-environment.ts';

const patienceMs = 10_000;
const known = new Map<string, Promise<string | null>>();

/** What a program says when asked for its version; asked once per process. Null when it does not answer. */
export function programVersion(program: string): Promise<string | null> {
  const asked = known.get(program) ?? ask(program);
  known.set(program, asked);
  return asked;
}

function ask(program: string): Promise<string | null> {
  return new Promise((resolve) => {
    // Who only says its version needs no secret of ours, and one that does not listen is ended all the same.
    const options = {
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      env: agentEnvironment(process.env as Record<string, string>),
    } as const;
    const child = execFile(program, ['--version'], options, (error, stdout) =>
      resolve(error ? null : (/\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? null)),
    );
    child.stdin?.end();
  });
}
