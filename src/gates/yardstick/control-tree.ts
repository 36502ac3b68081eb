import { createHash, randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { ObjectReader } from '#git/objects/object-reader.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { type Change, diffTrees, GitTree } from '#git/trees/tree.ts';
import { writeChanged } from '#git/trees/write-tree.ts';
import { isCode, isTestFile } from '#tests/code/test-path.ts';
import { type Lot, namesDefinedIn, withOtherExpectations } from '#tests/mutate/other-expectations.ts';
import { withControl } from './control-tests.ts';

export interface ControlledTree {
  readonly tree: string;
  /** Titles of the tests that must fail. */
  readonly names: readonly string[];
  /** Those of them that are copies of a test with another expectation. */
  readonly copies: ReadonlySet<string>;
}

/** Secret: the agents of a run cannot know it. */
const nonce = randomBytes(5).toString('hex');

/** Enough to detect a runner that does not tell the truth. */
const mostFiles = 200;
const mostCopies = 100;

/**
 * The same tree with tests that must fail in each test file: one of our own, and copies of tests about the changed names
 * with other expectations. Null if no file can have one.
 */
export async function controlledTree(
  scratch: Scratch,
  tree: string,
  about: ReadonlySet<string>,
): Promise<ControlledTree | null> {
  const files = await GitTree.read(scratch.git, tree);
  const paths = files.matching(isTestFile).filter((path) => files.entry(path)?.mode.startsWith('100'));
  const texts = await readFilesAt(scratch.git, tree, paths.slice(0, mostFiles));
  const names: string[] = [];
  const copies = new Set<string>();
  const changes: Change[] = [];
  for (const [path, text] of texts) {
    const asked = copies.size < mostCopies ? about : new Set<string>();
    const other = await withOtherExpectations(path, text, asked, lotFor(path));
    const name = nameFor(path);
    const controlled = withControl(path, other.text, name);
    const before = files.entry(path);
    if (controlled === null || before === undefined || before === null) continue;
    names.push(name, ...other.names);
    for (const copy of other.names) copies.add(copy);
    const id = scratch.own.add('blob', Buffer.from(controlled));
    changes.push({ status: 'modified', path, oldPath: null, before, after: { ...before, id } });
  }
  if (changes.length === 0) return null;
  const objects = new ObjectReader(scratch.git);
  try {
    const written = await writeChanged({ scratch, objects }, tree, changes);
    return written === null ? null : { tree: written, names, copies };
  } finally {
    objects.close();
  }
}

/** Equal for a file on base and on the work. */
function nameFor(place: string): string {
  return `k${drawn(place).slice(0, 12)}`;
}

function lotFor(path: string): Lot {
  return {
    nameFor: (at) => nameFor(`${path}:${at}`),
    roll: (at, what, sides) => Number.parseInt(drawn(`${path}:${at} ${what}`).slice(0, 12), 16) % sides,
  };
}

function drawn(what: string): string {
  return createHash('sha256').update(`${nonce} ${what}`).digest('hex');
}

/** Names that the changed sources define, and those of their modules: tests of them mention these. */
export async function changedNames(
  scratch: Scratch,
  base: string,
  tree: string,
): Promise<ReadonlySet<string>> {
  const [changes = []] = await diffTrees(scratch.git, [[base, tree]], { renames: false });
  const paths = changes.flatMap(({ path, after }) => (after && isCode(path) ? [path] : []));
  const texts = await readFilesAt(scratch.git, tree, paths);
  return new Set([...texts].flatMap(([path, text]) => [posix.parse(path).name, ...namesDefinedIn(text)]));
}
