import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { withEvidence } from '#app/evidence-room.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { checkClaim } from '#gates/claims/check-claim.ts';
import { claimsIn, type TextClaim } from '#gates/claims/claims-in.ts';
import { judgeEvidence } from '#gates/runner/judge.ts';
import { recordEvidence } from '#gates/runner/record.ts';
import { shellWord } from '#lib/shell-word.ts';
import { renderClaims } from '#report/gates/gates.ts';
import { visible } from '#report/text/visible.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { Evidence, EvidenceCheckReport, EvidenceRunReport } from '#schema/gates.ts';
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
  const argv = [program, ...args] as const;
  return withEvidence(invocation, options, async ({ place, config }) => {
    const text = argv.map(shellWord).join(' ');
    terminal.progress(text);
    const { passing: _, ...evidence } = await recordEvidence(
      {
        claim,
        gate: null,
        command: { kind: 'argv', argv, text },
        timeoutMs: timeLimit(options.timeout, config.gates.timeoutSeconds),
      },
      place,
    );
    terminal.settle();
    const { flaw, detail } = judgeEvidence(evidence);
    const report: EvidenceRunReport = {
      schema: 'joinery/evidence-run@1',
      status: flaw === null ? 'pass' : 'fail',
      reason: flaw,
      detail,
      evidence,
    };
    if (globals.json) terminal.printJson(report);
    else terminal.print(describe(report));
    return flaw === null ? exitCodes.ok : exitCodes.findings;
  });
}

function timeLimit(typed: string | undefined, seconds: number): number {
  if (typed === undefined) return seconds * 1000;
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
  const claims = await claimsToCheck(invocation);
  return withEvidence(invocation, options, async ({ store, tree, gates }) => {
    const ground = { tree, evidence: store.all(), gates: gates('full'), isIntact };
    const verdicts = claims.map((claim) => checkClaim(claim, ground));
    const report: EvidenceCheckReport = {
      schema: 'joinery/evidence-check@1',
      status: verdicts.every(({ status }) => status === 'pass') ? 'pass' : 'fail',
      tree,
      claims: verdicts,
    };
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderClaims(report, pageOf(terminal, env)));
    return report.status === 'pass' ? exitCodes.ok : exitCodes.findings;
  });
}

type AskedClaim = Pick<TextClaim, 'claim'> & {
  readonly text: string | null;
  readonly passed?: number | null;
};

async function claimsToCheck(invocation: EvidenceInvocation): Promise<AskedClaim[]> {
  const { options } = invocation;
  const asked: AskedClaim[] = options.claim === undefined ? [] : [{ claim: options.claim, text: null }];
  const notes = await readNotes(invocation, asked.length === 0);
  const claims = [...asked, ...claimsIn(notes)];
  if (claims.length > 0) return claims;
  throw new UsageError({
    code: 'no-claim',
    message: notes.trim() === '' ? 'there is no claim to check' : 'the text claims nothing',
    hint: 'name one: joinery evidence check --claim test',
  });
}

/** Stdin is read when it was asked for, or when it is all there is and no terminal. */
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

function isIntact(log: Evidence['log']): boolean {
  try {
    return createHash('sha256').update(readFileSync(log.file)).digest('hex') === log.sha256;
  } catch {
    return false;
  }
}
