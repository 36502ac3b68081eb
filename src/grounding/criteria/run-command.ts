import { readFile } from 'node:fs/promises';
import { gateEnvironment } from '#gates/runner/gate-environment.ts';
import { redactSecrets } from '#lib/redact.ts';
import { workBox } from '#process/box.ts';
import { type ContainedProgram, runContained } from '#process/run-contained.ts';
import type { Gate } from '#schema/gates.ts';
import { readTestResults } from '#tests/results/read-test-results.ts';
import type { CommandEnd } from './verify-criteria.ts';

export type CommandRoom = Pick<
  ContainedProgram,
  'cwd' | 'env' | 'mark' | 'logFile' | 'maxLogBytes' | 'memoryBytes' | 'hide'
> & {
  readonly signal?: AbortSignal;
};

/** Runners that accept the path of a test file after their other arguments. */
const takesPath =
  /(^|[\s/])(vitest|jest|pytest|py\.test|mocha|ava|tap|rspec|phpunit|playwright)\b|\b(node\b.{0,300}--test|deno test|bun test|(npm|pnpm|yarn|bun) (run \S+|test|t))\b/;
const runsScript = /^\s*(npm|pnpm)\s+(run\s+\S+|test|t)\b/;

/** Runs a gate's command line from the base commit. Text from a plan is an argument, never part of the command line. */
export async function runCommand(
  gate: Gate,
  path: string | null,
  isNamed: boolean,
  room: CommandRoom,
): Promise<CommandEnd> {
  const isCompound = /[;|]|&&.*&&/.test(gate.command);
  const isTaken = path !== null && takesPath.test(gate.command) && !isCompound;
  const naming = isTaken && isNamed ? namingOf(gate.command) : [];
  const first = await runOnce(gate, isTaken ? path : null, naming, room);
  // A script that cannot handle a path says nothing about tests: the whole gate decides.
  const isLost = isTaken && first.status === 'failed' && first.passed === null;
  return isLost ? runOnce(gate, null, [], room) : first;
}

/** The option that makes a directly called runner list each test; others may not know it. */
function namingOf(command: string): string[] {
  if (/(^|[\s/])vitest\b/.test(command)) return ['--reporter=verbose'];
  if (/(^|[\s/])jest\b/.test(command)) return ['--verbose'];
  return /(^|[\s/])(pytest|py\.test)\b/.test(command) ? ['-v'] : [];
}

async function runOnce(
  gate: Gate,
  path: string | null,
  more: readonly string[],
  room: CommandRoom,
): Promise<CommandEnd> {
  const { command, timeoutMs } = gate;
  const folder = /^\s*cd\s+([\w./-]+)\s*&&/.exec(command)?.[1]?.replace(/\/$/, '');
  const inner =
    path !== null && folder && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
  const line = inner === null ? command : `${command} "$@"`;
  const tail = command.replace(/^\s*cd\s+\S+\s*&&/, '');
  const args = inner === null ? [] : [...(runsScript.test(tail) ? ['--'] : []), ...more, inner];
  const end = await runContained({
    ...room,
    env: gateEnvironment(room.env, room.cwd, command),
    argv: ['sh', '-c', line, 'sh', ...args],
    box: workBox(room.cwd, room.env, { network: gate.network ?? false }),
    timeoutMs,
  });
  if (end.outcome === 'not-started' || end.outcome === 'cancelled')
    return {
      status: 'not-run',
      passed: null,
      failed: null,
      passing: [],
      detail: end.incidents.join('; ') || end.outcome,
    };
  const results = readTestResults(await readFile(room.logFile, 'utf8').catch(() => ''));
  const counts = {
    passed: results?.passed ?? null,
    failed: results?.failed ?? null,
    passing: results?.passing ?? [],
  };
  if (end.outcome === 'timeout')
    return { status: 'failed', ...counts, detail: `not done after ${timeoutMs} ms` };
  const detail = end.exitCode === 0 ? '' : `exit code ${end.exitCode}: ${lastLines(end.tail || end.head)}`;
  return { status: end.exitCode === 0 ? 'passed' : 'failed', ...counts, detail };
}

const mostLines = 10;

function lastLines(text: string): string {
  return redactSecrets(text.trimEnd().split('\n').slice(-mostLines).join('\n'));
}
