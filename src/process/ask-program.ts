import { startGuarded } from './start-guarded.ts';

export interface Question {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Output beyond this is ignored. */
  readonly maxBytes: number;
}

/**
 * The output of a program that succeeds; null when it is missing, fails or takes too long. Everything it starts ends with it; a process
 * that holds its output open is not waited for.
 */
export async function askProgram({ timeoutMs, maxBytes, ...program }: Question): Promise<string | null> {
  const guarded = startGuarded({ ...program, mark: `question/${process.pid}`, box: null });
  const said: Buffer[] = [];
  let bytes = 0;
  guarded.stdout.on('data', (chunk: Buffer) => {
    if (bytes < maxBytes) said.push(chunk.subarray(0, maxBytes - bytes));
    bytes += chunk.length;
  });
  guarded.stderr.resume();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    guarded.kill();
  }, timeoutMs);
  const end = await guarded.ended;
  clearTimeout(timer);
  const isGood = !isLate && end.how === 'exited' && end.code === 0;
  return isGood ? Buffer.concat(said).toString('utf8') : null;
}
