import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { checkClaim } from '#gates/claims/check-claim.ts';
import { claimsIn, type TextClaim } from '#gates/claims/claims-in.ts';
import { judgeEvidence } from '#gates/runner/judge.ts';
import { recordEvidence } from '#gates/runner/record.ts';
import { shellWord } from '#lib/shell-word.ts';
import { UsageError } from '#schema/errors.ts';
import type { Evidence, EvidenceCheckReport, EvidenceRunReport } from '#schema/gates.ts';
import { withEvidence } from './evidence-room.ts';
import type { WantedWork } from './find-work.ts';

interface Proof {
  readonly claim: Evidence['claim'];
  readonly argv: readonly [string, ...string[]];
  /** null: the timeout of the gates. */
  readonly timeoutMs: number | null;
}

/** Runs a command and records the result as evidence about the current tree. */
export function recordHere(
  surroundings: Surroundings,
  work: WantedWork,
  { claim, argv, timeoutMs }: Proof,
): Promise<EvidenceRunReport> {
  return withEvidence(surroundings, work, async ({ place, config }) => {
    const text = argv.map(shellWord).join(' ');
    surroundings.terminal.progress(text);
    const { passing: _, ...evidence } = await recordEvidence(
      {
        claim,
        gate: null,
        command: { kind: 'argv', argv, text },
        timeoutMs: timeoutMs ?? config.gates.timeoutSeconds * 1000,
      },
      place,
    );
    const { flaw, detail } = judgeEvidence(evidence);
    return {
      schema: 'joinery/evidence-run@1',
      status: flaw === null ? 'pass' : 'fail',
      reason: flaw,
      detail,
      evidence,
    };
  });
}

type AskedClaim = Pick<TextClaim, 'claim'> & {
  readonly text: string | null;
  readonly passed?: number | null;
};

/** Checks whether recorded evidence covers a claim, or the claims in a text. */
export function checkClaimsHere(
  surroundings: Surroundings,
  work: WantedWork,
  { claim, notes }: { readonly claim: Evidence['claim'] | undefined; readonly notes: string },
): Promise<EvidenceCheckReport> {
  const asked: AskedClaim[] = claim === undefined ? [] : [{ claim, text: null }];
  const claims = [...asked, ...claimsIn(notes)];
  if (claims.length === 0) {
    throw new UsageError({
      code: 'no-claim',
      message: notes.trim() === '' ? 'there is no claim to check' : 'the text claims nothing',
      hint: 'name one: joinery evidence check --claim test',
    });
  }
  return withEvidence(surroundings, work, async ({ store, tree, gates }) => {
    const ground = { tree, evidence: store.all(), gates: gates('full'), isIntact };
    const verdicts = claims.map((each) => checkClaim(each, ground));
    return {
      schema: 'joinery/evidence-check@1',
      status: verdicts.every(({ status }) => status === 'pass') ? 'pass' : 'fail',
      tree,
      claims: verdicts,
    };
  });
}

function isIntact(log: Evidence['log']): boolean {
  try {
    return createHash('sha256').update(readFileSync(log.file)).digest('hex') === log.sha256;
  } catch {
    return false;
  }
}
