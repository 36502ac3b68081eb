import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { checkClaimsHere, recordHere } from '#app/proof/evidence-here.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { visible } from '#lib/visible.ts';
import { renderClaims } from '#report/gates/gates.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { EvidenceRunReport } from '#schema/gates.ts';
import type { evidenceTable } from './evidence.table.ts';

type EvidenceInvocation = Invocation<typeof evidenceTable>;

export const run: Run<typeof evidenceTable> = (invocation) =>
  invocation.positionals[0] === 'run' ? record(invocation) : check(invocation);

async function record(invocation: EvidenceInvocation): Promise<ExitCode> {
  const { options, positionals, terminal, globals } = invocation;
  const [, program, ...args] = positionals;
  const { claim } = options;
  if (program === undefined || claim === undefined) {
    throw new UsageError({
      code: 'missing-argument',
      message: program === undefined ? 'a command is missing' : 'what does the command show?',
      hint: 'joinery evidence run --claim test -- npm test',
    });
  }
  const report = await recordHere(invocation, options, {
    claim,
    argv: [program, ...args],
    timeoutMs: timeLimit(options.timeout),
  });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(describe(report));
  return report.status === 'pass' ? exitCodes.ok : exitCodes.findings;
}

function timeLimit(typed: string | undefined): number | null {
  if (typed === undefined) return null;
  if (/^[1-9]\d{0,6}$/.test(typed)) return Number(typed) * 1000;
  throw new UsageError({
    code: 'bad-value',
    message: `option --timeout cannot be "${typed}"; it is a number of seconds`,
    hint: 'joinery evidence run --timeout 300 …',
  });
}

function describe({ status, reason, detail, evidence }: EvidenceRunReport): string {
  const { claim, id, tree, log } = evidence;
  return [
    `${claim} ${status === 'pass' ? 'proven' : `not proven: ${reason}`}: ${visible(detail)}`,
    `  evidence ${id} for tree ${tree.slice(0, 12)}`,
    `  log ${log.file}`,
  ].join('\n');
}

async function check(invocation: EvidenceInvocation): Promise<ExitCode> {
  const { options, terminal, globals, env, positionals } = invocation;
  if (positionals.length > 1) {
    throw new UsageError({
      code: 'too-many-arguments',
      message: 'evidence check runs nothing and takes no text behind it',
      hint: "name a claim: joinery evidence check --claim test; or give a text: echo 'All 12 tests pass' | joinery evidence check",
    });
  }
  const notes = await readNotes(invocation, options.claim === undefined);
  const report = await checkClaimsHere(invocation, options, { claim: options.claim, notes });
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderClaims(report, pageOf(terminal, env)));
  return report.status === 'pass' ? exitCodes.ok : exitCodes.findings;
}

/** Reads stdin if requested, or if there is no other input and stdin is not a terminal. */
async function readNotes({ options, cwd }: EvidenceInvocation, isNeeded: boolean): Promise<string> {
  const { notes } = options;
  if (notes === '-' || (notes === undefined && isNeeded && !process.stdin.isTTY))
    return readAll(process.stdin);
  if (notes === undefined) return '';
  try {
    return readFileSync(resolve(cwd, notes), 'utf8');
  } catch (cause) {
    throw new UsageError({
      code: 'unreadable-notes',
      message: `${notes} cannot be read: ${(cause as Error).message}`,
      hint: 'name a file, or give the text on stdin',
      cause,
    });
  }
}
