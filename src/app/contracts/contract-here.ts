import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { writeOutput } from '#app/workplace/output-file.ts';
import type { Override } from '#app/workplace/settings.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { contractDigest } from '#contract/change/digest.ts';
import { diffContracts } from '#contract/diff.ts';
import { contractOf, draftContract } from '#contract/draft.ts';
import { contractStubs } from '#contract/stubs/stubs.ts';
import { openRepository } from '#git/call/repository.ts';
import type {
  ContractDiffReport,
  ContractDraftReport,
  ContractReport,
  ContractStubsReport,
} from '#schema/contract-report.ts';
import { UsageError } from '#schema/errors.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import { checkContract } from './check-contract.ts';
import { readContract } from './read-contract.ts';
import { readWholeModel } from './read-model.ts';
import { type ReadableTree, withTrees, withUnion } from './union-room.ts';

type Here = Pick<Surroundings, 'cwd' | 'env' | 'terminal' | 'onInterrupt'>;

/** Checks whether the union of branches keeps a contract. */
export function checkContractHere(
  here: Here,
  path: string,
  branches: readonly string[],
  flags: readonly Override[],
): Promise<ContractReport> {
  const contract = readContract(here.cwd, path);
  return withUnion(here, { branches, flags }, (union) => checkContract(union, contract, path));
}

interface DraftWish {
  readonly ref: string;
  /** A folder of the repository; undefined: the whole repository. */
  readonly folder: string | undefined;
  readonly out: string | undefined;
}

/** Drafts a contract from the code of a commit. */
export function draftHere(here: Here, { ref, folder, out }: DraftWish): Promise<ContractDraftReport> {
  return withTrees(here, [ref], async ([source]) => {
    if (!source) throw new Error('a commit was named and not read');
    demandFolder([source], folder);
    const { model, unread } = await readFolder(source, folder);
    const { contract, leftOut } = draftContract(model, ref);
    if (out !== undefined) writeOutput(here.cwd, out, `${JSON.stringify(contract, null, 2)}\n`);
    const { ref: name, commit } = source.tip;
    const from = { ref: name, commit };
    return {
      schema: 'joinery/contract-draft@1',
      from,
      contract,
      file: out ?? null,
      unread,
      leftOut: [...leftOut],
    };
  });
}

async function readFolder(source: ReadableTree, folder: string | undefined) {
  const below = folder === undefined || pathOf(folder) === '' ? '' : `${pathOf(folder)}/`;
  const model = await readWholeModel(source, (path) => path.startsWith(below) && !isTestCode(path));
  const unread = [...model.files].flatMap(([file, { problem }]) =>
    problem === null ? [] : [{ file, reason: problem }],
  );
  return { model, unread };
}

/** What two commits change about the things others rely on. */
export function diffContractHere(
  here: Here,
  names: readonly [string, string],
  folder: string | undefined,
): Promise<ContractDiffReport> {
  return withTrees(here, names, async ([from, to]) => {
    if (!from || !to) throw new Error('two commits were named and not read');
    demandFolder([from, to], folder);
    const [before, after] = [await readFolder(from, folder), await readFolder(to, folder)];
    // An unreadable file does not prove that anything is gone; one that is identical in both commits proves nothing at all.
    const unread = [...before.unread, ...after.unread].filter(
      ({ file }, at, all) =>
        from.tree.blob(file) !== to.tree.blob(file) && all.findIndex((each) => each.file === file) === at,
    );
    const found = diffContracts(
      contractOf(before.model, ''),
      contractOf(after.model, ''),
      new Set(unread.map(({ file }) => file)),
    );
    const { relationships, ...entities } = found;
    const isSame = [...Object.values(entities), ...Object.values(relationships)].every(
      (list) => list.length === 0,
    );
    const tip = ({ tip: { ref, commit } }: typeof from) => ({ ref, commit });
    return {
      schema: 'joinery/contract-diff@1',
      status: unread.length > 0 ? 'inconclusive' : isSame ? 'same' : 'different',
      from: tip(from),
      to: tip(to),
      ...found,
      unread,
    };
  });
}

/** Refuses a misspelt folder: it would be empty on both sides and never differ. */
function demandFolder(trees: readonly ReadableTree[], folder: string | undefined): void {
  if (folder === undefined) return;
  const path = pathOf(folder);
  if (path === '' || trees.some(({ tree }) => tree.isDirectory(path))) return;
  throw new UsageError({
    code: 'no-such-folder',
    message: `--in: there is no folder ${folder} in the repository`,
    hint: 'name a folder from the top of the repository: --in src',
  });
}

/** './src/' → 'src' */
function pathOf(folder: string): string {
  return posix.join('.', folder).replace(/^\.?\/?|\/$/g, '');
}

/** Default folder of stubs. Tasks of a crew must not change files there. */
const stubFolder = 'contract';

export async function stubsHere(
  { cwd }: Here,
  path: string,
  lang: 'ts' | 'py',
  out: string = stubFolder,
): Promise<ContractStubsReport> {
  const contract = readContract(cwd, path);
  const { workTree } = await openRepository(cwd);
  const top = workTree ?? cwd;
  const folder = resolve(cwd, out);
  const inside = relative(top, folder).split(sep).join('/');
  if (inside.startsWith('..')) {
    throw new UsageError({
      code: 'outside',
      message: `${out} is outside the repository`,
      hint: 'name a folder of the repository: --out contract',
    });
  }
  const { files, skipped } = contractStubs(contract, lang, inside, contractDigest(contract));
  mkdirSync(folder, { recursive: true });
  const written = [...files].map(([name, content]) => {
    const file = join(folder, name);
    rmSync(file, { force: true });
    writeFileSync(file, content);
    chmodSync(file, 0o444);
    return {
      path: inside === '' ? name : `${inside}/${name}`,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  });
  return { schema: 'joinery/contract-stubs@1', lang, files: written, skipped: [...skipped] };
}
