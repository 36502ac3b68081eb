import type { Surroundings } from '#app/workplace/surroundings.ts';
import { integrationBranch } from '#crew/state/names.ts';
import { Git } from '#git/call/git.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { isAncestor, readName } from '#git/merges/branches.ts';
import { land } from '#integrate/land/land.ts';
import { readReceipt, receiptDigest, verifyReceipt } from '#integrate/receipt/receipt.ts';
import { nearest } from '#lib/nearest.ts';
import { JoineryError, UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { Receipt, ReceiptReport, UndoReport } from '#schema/integration.ts';

type Here = Pick<Surroundings, 'cwd'>;

/** What landed, and whether every id in its receipt is true. */
export async function receiptHere({ cwd }: Here, id: string, isVerified: boolean): Promise<ReceiptReport> {
  const { git } = await openHere(cwd);
  const receipt = await demandReceipt(git, id);
  const landing = await landingOf(git, receipt);
  const checks = isVerified ? await verifyReceipt(git, receipt, landing) : [];
  return {
    schema: 'joinery/receipt-check@1',
    status: checks.every(({ isTrue }) => isTrue) ? 'pass' : 'fail',
    landing,
    isDone: await isAncestor(git, landing, `refs/heads/${receipt.target.ref.replace(/^refs\/heads\//, '')}`),
    digest: receiptDigest(receipt),
    receipt,
    checks,
  };
}

/** Moves the target back to what it was before a landing. Refuses when anything has landed since. */
export async function undoHere({ cwd }: Here, id: string, mayUpdateCheckout: boolean): Promise<UndoReport> {
  const { repository, git } = await openHere(cwd);
  const receipt = await demandReceipt(git, id);
  const landing = await landingOf(git, receipt);
  const { ref: name, before } = receipt.target;
  const ref = `refs/heads/${name.replace(/^refs\/heads\//, '')}`;
  const outcome = await land(repository, git, {
    ref,
    from: landing,
    to: before,
    isProtected: false,
    mayUpdateCheckout,
    isBack: true,
  });
  if (outcome.status === 'moved') {
    throw new JoineryError({
      code: 'not-the-landed-commit',
      message: `${name} is not the commit that landed (${landing.slice(0, 12)}) any more, so nothing was undone`,
      hint: `git revert -m 1 ${landing.slice(0, 12)}`,
      exitCode: exitCodes.needsPerson,
    });
  }
  return {
    schema: 'joinery/undo@1',
    status: outcome.status === 'landed' ? 'undone' : 'kept',
    id,
    target: { ref: name, before: landing, after: outcome.status === 'landed' ? before : landing },
    reason: outcome.status === 'kept' ? outcome.reason : '',
    next: outcome.status === 'kept' ? outcome.next : null,
  };
}

async function openHere(cwd: string): Promise<{ repository: Repository; git: Git }> {
  const repository = await openRepository(cwd);
  return { repository, git: new Git({ cwd: repository.commonDir, isDurable: true }) };
}

async function demandReceipt(git: Git, id: string): Promise<Receipt> {
  const receipt = await readReceipt(git, id);
  if (receipt) return receipt;
  const known = (await git.text(['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/joinery/receipts/']))
    .split('\n')
    .filter(Boolean);
  const meant = nearest(id, known);
  throw new UsageError({
    code: 'no-receipt',
    message: `there is no receipt ${JSON.stringify(id)} in this repository`,
    hint:
      known.length === 0
        ? 'land something first: joinery integrate <branch>… --land'
        : `${meant === null ? '' : `did you mean ${meant}? `}receipts: ${known.slice(0, 5).join(', ')}`,
  });
}

async function landingOf(git: Git, { id }: Receipt): Promise<string> {
  const commit = await readName(git, `refs/heads/${integrationBranch(id)}`);
  if (commit !== null) return commit;
  throw new JoineryError({
    code: 'no-landing',
    message: `the branch joinery/${id}/integration is gone, so the landing commit is unknown`,
    hint: `find it: git log --all --grep "Joinery-Run: ${id}"`,
    exitCode: exitCodes.needsPerson,
  });
}
