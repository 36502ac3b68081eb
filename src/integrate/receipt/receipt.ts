import { createHash } from 'node:crypto';
import type { Git } from '#git/call/git.ts';
import { isAncestor, readName } from '#git/merges/branches.ts';
import { conserve } from '#integrate/conserve/conserve.ts';
import { JoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { Receipt } from '#schema/integration.ts';

const trailer = 'Joinery-Receipt';

/** Sorted keys at every level, no white space: equal receipts have equal bytes. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(',')}}`;
}

export function receiptDigest(receipt: Receipt): string {
  return digestOf(canonicalJson(receipt));
}

function digestOf(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export const receiptsPrefix = 'refs/joinery/receipts/';

function receiptRef(id: string): string {
  return `${receiptsPrefix}${id}`;
}

interface LandingCommit {
  readonly receipt: Receipt;
  readonly at: string;
}

/** The commit that lands: both parents, the proven tree, and the digest of the receipt. */
export async function writeLandingCommit(git: Git, { receipt, at }: LandingCommit): Promise<string> {
  const { integration, target, branches, id } = receipt;
  const names = branches.map(({ ref }) => ref).join(', ');
  const message = `Land ${names}\n\nJoinery-Run: ${id}\n${trailer}: ${receiptDigest(receipt)}\n`;
  const seconds = `${Math.floor(Date.parse(at) / 1000)} +0000`;
  const signs = (await git.run(['config', '--bool', 'commit.gpgSign'], { accept: [0, 1] })).stdout
    .toString('utf8')
    .startsWith('true');
  return git.text(
    [
      'commit-tree',
      ...(signs ? ['-S'] : []),
      '-p',
      target.before,
      '-p',
      integration.commit,
      integration.tree,
    ],
    {
      input: message,
      env: { GIT_AUTHOR_DATE: seconds, GIT_COMMITTER_DATE: seconds, ...(await identity(git)) },
    },
  );
}

/** The person's identity, or Joinery's where none is configured. */
async function identity(git: Git): Promise<Record<string, string>> {
  const known = await git.run(['var', 'GIT_COMMITTER_IDENT'], { accept: [0, 1, 128] });
  if (known.code === 0) return {};
  return Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Joinery'],
      [`GIT_${who}_EMAIL`, 'joinery@localhost'],
    ]),
  );
}

/** Stored as a blob under its own ref, so that it outlives the state folder. */
export async function storeReceipt(git: Git, receipt: Receipt): Promise<void> {
  const blob = await git.text(['hash-object', '-w', '--no-filters', '--stdin'], {
    input: canonicalJson(receipt),
  });
  await git.run(['update-ref', receiptRef(receipt.id), blob]);
}

/** A receipt with the digest of the bytes it was read from, so that fields unknown to the schema count too. */
export interface StoredReceipt {
  readonly receipt: Receipt;
  readonly digest: string;
}

export async function readReceipt(git: Git, id: string): Promise<StoredReceipt | null> {
  const { code, stdout } = await git.run(['cat-file', 'blob', receiptRef(id)], { accept: [0, 128] });
  if (code !== 0) return null;
  const receipt = parseReceipt(stdout.toString('utf8'));
  if (receipt?.id === id) return { receipt, digest: digestOf(stdout) };
  throw new JoineryError({
    code: 'receipt-damaged',
    message: `the receipt ${id} was changed: ${receipt === null ? 'its bytes are no receipt' : `it is the receipt of ${receipt.id}`}`,
    hint: `the landing commit has the digest of the true one: git log --all --grep "Joinery-Run: ${id}"`,
    exitCode: exitCodes.findings,
  });
}

function parseReceipt(text: string): Receipt | null {
  try {
    return Receipt.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export interface ReceiptCheck {
  readonly name: string;
  readonly isTrue: boolean;
  readonly detail: string;
}

/** The digest in a commit's message; null when there is none. */
export async function claimedDigest(git: Git, commit: string): Promise<string | null> {
  const message = await git.text(['show', '--no-patch', '--format=%B', '--end-of-options', commit]);
  return new RegExp(`^${trailer}: ([0-9a-f]{64})$`, 'm').exec(message)?.[1] ?? null;
}

/** The commit below a ref with this digest of a receipt; null when there is none. */
export async function landingBelow(git: Git, ref: string, digest: string): Promise<string | null> {
  const wanted = `^${trailer}: ${digest}$`;
  const args = ['log', '--first-parent', '--max-count=1', '--format=%H', `--grep=${wanted}`];
  const { code, stdout } = await git.run([...args, '--end-of-options', ref], { accept: [0, 128] });
  const commit = stdout.toString('utf8').trim();
  return code === 0 && commit !== '' ? commit : null;
}

/**
 * Recomputes every id of a receipt from the objects of this repository. Needs no network and no state folder; the merges for the comparison
 * are written to `scratch`.
 */
export async function verifyReceipt(
  git: Git,
  scratch: Git,
  { receipt, digest }: StoredReceipt,
  landing: string,
): Promise<ReceiptCheck[]> {
  const claimed = (await claimedDigest(git, landing)) ?? 'none';
  const tree = (commit: string) => readName(git, `${commit}^{tree}`);
  const same = (name: string, now: string | null, said: string): ReceiptCheck => ({
    name,
    isTrue: now === said,
    detail:
      now === said
        ? said.slice(0, 12)
        : `the receipt says ${said.slice(0, 12)}, git says ${now?.slice(0, 12) ?? 'nothing'}`,
  });
  const checks = [
    same('receipt', digest, claimed),
    same('landed tree', await tree(landing), receipt.integration.tree),
    same('target tree', await tree(receipt.target.before), receipt.target.tree),
    same('integration tree', await tree(receipt.integration.commit), receipt.integration.tree),
    same('first parent', await readName(git, `${landing}^1`), receipt.target.before),
    same('second parent', await readName(git, `${landing}^2`), receipt.integration.commit),
  ];
  const bound = [...receipt.steps, ...receipt.evidence].flatMap(({ tree: on }) => on ?? []);
  const other = bound.find((on) => on !== receipt.integration.tree);
  checks.push(same('steps and evidence', other ?? receipt.integration.tree, receipt.integration.tree));
  for (const { ref, commit, tree: said } of receipt.branches) {
    checks.push(same(`tree of ${ref}`, await tree(commit), said));
    const isThere = await isAncestor(git, commit, landing);
    checks.push({ name: `${ref} is part of it`, isTrue: isThere, detail: commit.slice(0, 12) });
  }
  return [...checks, ...(await conservedStill(scratch, receipt, landing))];
}

/** Reads again from the commits what each branch added or changed, and compares it with the landed tree. */
async function conservedStill(scratch: Git, receipt: Receipt, landing: string): Promise<ReceiptCheck[]> {
  const { target, branches, decisions } = receipt;
  const { lost, conserved } = await conserve(scratch, target.before, branches, landing, decisions);
  return [
    ...branches.map(({ ref, entities }) => {
      const own = new Set(conserved.get(ref)?.entities);
      // Receipts of earlier versions list what a branch inherited, too.
      const all = new Set([...own, ...(conserved.get(ref)?.inherited ?? [])]);
      const is = (found: ReadonlySet<string>) =>
        found.size === entities.length && entities.every((each) => found.has(each));
      const isTrue = is(own) || is(all);
      return { name: `entities of ${ref}`, isTrue, detail: `${own.size} found, ${entities.length} listed` };
    }),
    { name: 'nothing is lost', isTrue: lost.length === 0, detail: lost[0]?.detail ?? 'all of it is there' },
  ];
}
