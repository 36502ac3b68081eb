import { join } from 'node:path';
import type { Decision } from '#app/workplace/decision.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { runIds } from '#crew/state/catalogue.ts';
import { integrationBranch } from '#crew/state/names.ts';
import { bringBack, keepCommit, keptFolder } from '#crew/steer/keep-work.ts';
import { Git } from '#git/call/git.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { isAncestor, isReachableOutside, readName } from '#git/merges/branches.ts';
import { createScratch } from '#git/objects/scratch.ts';
import {
  claimedDigest,
  landingBelow,
  readReceipt,
  type StoredReceipt,
  verifyReceipt,
} from '#integrate/receipt/receipt.ts';
import { compileGlobs } from '#lib/glob.ts';
import { nearest } from '#lib/nearest.ts';
import { JoineryError, UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { ReceiptReport, UndoReport } from '#schema/integration.ts';
import { type AskPerson, landOrAsk } from './land-or-ask.ts';
import type { RunRoom } from './run-room.ts';
import { deliver } from './send-signal.ts';

/** What landed, and whether every id in its receipt is correct. */
export async function receiptHere(
  { cwd, env, onInterrupt }: Pick<Surroundings, 'cwd' | 'env' | 'onInterrupt'>,
  named: string | undefined,
  isVerified: boolean,
): Promise<ReceiptReport> {
  const repository = await openRepository(cwd);
  const git = durable(repository);
  const stored = await demandReceipt(git, named);
  const { receipt, digest } = stored;
  const landing = await landingOf(git, stored);
  const checks = isVerified ? await verified() : [];
  return {
    schema: 'joinery/receipt-check@1',
    status: checks.every(({ isTrue }) => isTrue) ? 'pass' : 'fail',
    landing,
    isDone: await isAncestor(git, landing, `refs/heads/${receipt.target.ref.replace(/^refs\/heads\//, '')}`),
    digest,
    receipt,
    checks,
  };

  async function verified() {
    const folder = join(stateOf(env, repository.commonDir), 'integrate');
    const scratch = await createScratch(repository, folder);
    const forget = onInterrupt(scratch.remove);
    try {
      return await verifyReceipt(git, scratch.git, stored, landing);
    } finally {
      await scratch.remove();
      forget();
    }
  }
}

interface UndoWishes {
  readonly mayUpdateCheckout: boolean;
  /** Asks the person at the terminal; null without one. */
  readonly ask: AskPerson;
  /** Throws unless the answer is yes; called when the effect is known. */
  confirm(what: string): Promise<void>;
}

/** Moves the target back to where it was before a landing. Refuses if anything has landed since. */
export async function undoHere(
  room: RunRoom,
  decision: Decision,
  named: string | undefined,
  { mayUpdateCheckout, ask, confirm }: UndoWishes,
): Promise<UndoReport> {
  const { repository, config, runs } = room;
  const git = durable(repository);
  const stored = await demandReceipt(git, named);
  const { id } = stored.receipt;
  const landing = await landingOf(git, stored);
  const { ref: name, before } = stored.receipt.target;
  const short = name.replace(/^refs\/heads\//, '');
  await confirm(`Move ${short} from ${landing.slice(0, 12)} back to ${before.slice(0, 12)}?`);
  // Its own branch may have been pruned, because it had landed.
  const isOnlyThere = !(await isReachableOutside(git, landing, [`refs/heads/${short}`]));
  const kept = isOnlyThere ? await keepCommit(git, `${keptFolder(id)}undone`, landing) : null;
  const outcome = await landOrAsk(
    repository,
    git,
    {
      ref: `refs/heads/${short}`,
      from: landing,
      to: before,
      isProtected: compileGlobs(config.run.protected)(short),
      mayUpdateCheckout,
      isBack: true,
    },
    ask,
  );
  const isUndone = outcome.status === 'landed' || (outcome.status === 'moved' && outcome.now === before);
  if (outcome.status === 'moved' && !isUndone) {
    throw new JoineryError({
      code: 'not-the-landed-commit',
      message: `${name} is no longer the commit that landed (${landing.slice(0, 12)}), so nothing was undone`,
      hint: `git revert -m 1 ${landing.slice(0, 12)}`,
      exitCode: exitCodes.needsPerson,
    });
  }
  if (isUndone && runIds(runs.engine).includes(id) && room.state(id).landed !== null)
    await deliver(
      room,
      id,
      { name: 'undone', payload: { landed: landing } },
      decision,
      ({ landed }) => landed === null,
    );
  return {
    schema: 'joinery/undo@1',
    status: isUndone ? 'undone' : 'kept',
    id,
    target: { ref: name, before: landing, after: isUndone ? before : landing },
    reason: outcome.status === 'kept' ? outcome.reason : '',
    next: outcome.status === 'kept' ? outcome.next : null,
    ...(kept === null || !isUndone
      ? {}
      : { kept: `what had landed has no other branch: ${bringBack(kept)}` }),
  };
}

function durable({ commonDir }: Repository): Git {
  return new Git({ cwd: commonDir, isDurable: true });
}

/** The receipt with this id, or of the newest landing in a branch or commit; without a name, of the newest landing of all. */
async function demandReceipt(git: Git, named: string | undefined): Promise<StoredReceipt> {
  const exact = named === undefined ? null : await readReceipt(git, named);
  if (exact) return exact;
  const known = (await git.text(['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/joinery/receipts/']))
    .split('\n')
    .filter(Boolean);
  const newest = await newestLanding(git, named, new Set(known));
  if (newest) return newest;
  const meant = named === undefined ? null : nearest(named, known);
  throw new UsageError({
    code: 'no-receipt',
    message:
      named === undefined
        ? 'nothing has landed in this repository yet'
        : `there is no receipt ${JSON.stringify(named)} in this repository, and no branch or commit of that name has a landing`,
    hint:
      known.length === 0
        ? 'land something first: joinery integrate <branch>… --land --update-checkout'
        : `${meant === null ? '' : `did you mean ${meant}? `}receipts: ${known.slice(0, 5).join(', ')}`,
  });
}

/** The newest landing that the branch or commit has, or that landed it. */
async function newestLanding(
  git: Git,
  named: string | undefined,
  known: ReadonlySet<string>,
): Promise<StoredReceipt | null> {
  const at = named === undefined ? null : await readName(git, `${named}^{commit}`);
  if (named !== undefined && at === null) return null;
  const format = '--format=%(trailers:key=Joinery-Run,valueonly,separator=%x20)';
  const text = await git.text(['log', format, '--grep=^Joinery-Run: ', '--branches']);
  const landed: { stored: StoredReceipt; landing: string }[] = [];
  for (const id of new Set(text.split('\n').filter((each) => known.has(each)))) {
    const stored = await readReceipt(git, id);
    const target = `refs/heads/${stored?.receipt.target.ref.replace(/^refs\/heads\//, '')}`;
    const landing = stored && (await landingOf(git, stored).catch(() => null));
    if (!stored || !landing || !(await isAncestor(git, landing, target))) continue;
    if (at === null || (await isAncestor(git, landing, at))) return stored;
    landed.push({ stored, landing });
  }
  for (const { stored, landing } of landed)
    if (
      at !== null &&
      (await isAncestor(git, at, landing)) &&
      !(await isAncestor(git, at, stored.receipt.target.before))
    )
      return stored;
  return null;
}

/** The commit that carries the receipt: on the integration branch, or on the target when that branch is gone. */
async function landingOf(git: Git, { receipt, digest }: StoredReceipt): Promise<string> {
  const { id, target } = receipt;
  const branch = `refs/heads/${integrationBranch(id)}`;
  const tip = await readName(git, branch);
  if (tip !== null && (await claimedDigest(git, tip)) === digest) return tip;
  const found =
    (await landingBelow(git, branch, digest)) ??
    (await landingBelow(git, `refs/heads/${target.ref.replace(/^refs\/heads\//, '')}`, digest));
  if (found !== null) return found;
  throw new JoineryError({
    code: 'no-landing',
    message: `no commit of ${target.ref} or ${integrationBranch(id)} carries this receipt: it was changed, or its landing is gone`,
    hint: `look for it: git log --all --grep "Joinery-Run: ${id}"`,
    exitCode: exitCodes.findings,
  });
}
