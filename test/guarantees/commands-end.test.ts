import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '#cli/commands.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { executable } from '#test/support/joinery.ts';
import { passingGuide } from '#test/support/passing-tests.ts';
import { note, sample } from '#test/support/sampling.ts';
import { chance } from '#test/support/seed.ts';

const exitCodesKnown: readonly number[] = Object.values(exitCodes);
const longestMs = 120_000;
/** Longer than any of these commands takes on a busy machine. */
const perCall = 5000;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Manner {
  readonly flags?: readonly string[];
  /** Sent this many milliseconds after the start. */
  readonly interrupt?: { readonly signal: NodeJS.Signals; readonly afterMs: number };
}

function run(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  { flags = [], interrupt }: Manner = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...flags, executable, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: 'ignore',
  });
  const timers = [setTimeout(() => child.kill('SIGKILL'), longestMs)];
  if (interrupt) timers.push(setTimeout(() => child.kill(interrupt.signal), interrupt.afterMs));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ code, signal });
    });
  });
}

function workplace() {
  const repo = makeRepo({
    'src/one.ts': 'export function one(a: number) {\n  return a;\n}\n',
    ...passingGuide,
  });
  const branch = (name: string, path: string, text: string) => {
    repo.git('checkout', '-q', '-b', name, 'main');
    writeFileSync(join(repo.dir, path), text);
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', name);
    repo.git('checkout', '-q', 'main');
  };
  branch('a', 'src/one.ts', 'export function one(a: number, b: number) {\n  return a + b;\n}\n');
  branch('b', 'src/two.ts', "import { one } from './one';\nexport const two = one(1);\n");
  const file = (name: string, content: object) => {
    const path = join(repo.stateDir, '..', name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const plan = file('plan.json', { schema: 'joinery/plan@1', tasks: [task('t')] });
  const scenario = file('scenario.json', { schema: 'joinery/scenario@1', attempts: [writes('t', 't.txt')] });
  return {
    dir: repo.dir,
    env: { JOINERY_STATE_DIR: repo.stateDir, JOINERY_CACHE_DIR: `${repo.stateDir}-cache` },
    crew: ['run', '--no-land', '--plan', plan, '--agent', 'scripted', '--scenario', scenario],
  };
}

/** Arguments by command; a command that is not listed runs without arguments. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  artifact: ['list'],
  cache: ['size'],
  check: ['main', 'a', 'b'],
  completion: ['bash'],
  contract: ['draft', 'main'],
  evidence: ['check'],
  explain: ['S01'],
  ground: ['a'],
  guides: ['src/one.ts'],
  hooks: ['install', '--dry-run'],
  init: ['--dry-run'],
  integrate: ['a'],
  memory: ['search', 'one'],
  prune: ['--dry-run'],
  questions: ['list'],
  replay: ['0123456789abcdef'],
  risk: ['a'],
  secrets: ['a'],
  tests: ['gaps', 'a'],
  ui: ['--no-open'],
  why: ['t'],
  workflow: ['list'],
};

/** These commands do their work here; all others report what is missing. A crash exits with 5. */
const does = new Set(
  'agents artifact audit backtest cache completion contract cost doctor explain gates ground guides hooks init integrate logs mcp memory prune questions rebuild report risk roles rules run runs secrets status tests version why workflow'.split(
    ' ',
  ),
);

/** Commands that serve until they are stopped. */
const untilStopped: Readonly<Record<string, Manner>> = {
  ui: { interrupt: { signal: 'SIGTERM', afterMs: 3000 } },
};

const { numRuns } = sample('every command ends by itself, every time', { normal: 1, wide: 5, soak: 500 });

// process.exit() waits for V8's threads without serving them. A thread that allocates while the heap is full waits for
// a collection, and so for the main thread: a deadlock. The flag starts threads that do nothing but allocate.
const stress = '--stress-concurrent-allocation';

test('a check ends by itself, whatever V8 does at the same time', {
  timeout: longestMs * numRuns,
}, async () => {
  const { dir, env } = workplace();
  for (let count = 0; count < numRuns; count++)
    expect(
      await run(['check', 'main', 'a', 'b', '--confirm', 'none'], dir, env, { flags: [stress] }),
    ).toEqual({
      code: 1,
      signal: null,
    });
});

test('every command ends by itself, every time with the same exit code', {
  timeout: longestMs + perCall * numRuns * commands.length,
}, async () => {
  const { dir, env, crew } = workplace();
  expect(await run(crew, dir, env)).toEqual({ code: 0, signal: null });
  const first = new Map<string, Ended>();
  // Round by round, so that an interrupted soak has run each command equally often.
  for (let round = 1; round <= numRuns; round++) {
    for (const { table } of commands) {
      const args = table.name === 'run' ? crew : [table.name, ...(argumentsOf[table.name] ?? [])];
      const ended = await run(args, dir, env, untilStopped[table.name]);
      const isStopped = untilStopped[table.name] !== undefined;
      // A serving command exits with 0, or with 130 if the signal arrived while it was starting.
      if (isStopped) expect([0, 130], table.name).toContain(ended.code);
      else if (does.has(table.name)) expect([0, 1], `${table.name}: ${ended.code}`).toContain(ended.code);
      else expect([1, 2, 3], `${table.name}: ${ended.code}`).toContain(ended.code);
      expect(isStopped ? ended.signal : ended, table.name).toEqual(
        isStopped ? null : (first.get(table.name) ?? { ...ended, signal: null }),
      );
      first.set(table.name, ended);
    }
    if (round % 25 === 0) note(`every command ended ${round} times`);
  }
});

const interrupts = chance('every command ends when it is interrupted at any moment', {
  normal: 8,
  wide: 120,
  soak: 4000,
});

test('every command ends when it is interrupted at any moment', {
  timeout: longestMs + perCall * interrupts.count,
}, async () => {
  const { dir, env, crew } = workplace();
  expect(await run(crew, dir, env)).toEqual({ code: 0, signal: null });
  const names = commands
    .map(({ table }) => ({ name: table.name, key: interrupts.next() }))
    .sort((a, b) => a.key - b.key);
  for (let count = 0; count < interrupts.count; count++) {
    const name = names[count % names.length]?.name ?? 'check';
    const args = name === 'run' ? crew : [name, ...(argumentsOf[name] ?? [])];
    const signal = interrupts.next() < 0.5 ? 'SIGINT' : 'SIGTERM';
    const afterMs = interrupts.next() * 800;
    const ended = await run(args, dir, env, { flags: [stress], interrupt: { signal, afterMs } });
    // Ended by the signal itself while Node is starting, or with its own exit code if it had already ended.
    const isEnd = ended.signal === signal || exitCodesKnown.includes(ended.code ?? -1);
    expect(isEnd, `${name}, ${signal} after ${afterMs} ms: ${JSON.stringify(ended)}`).toBe(true);
  }
});
