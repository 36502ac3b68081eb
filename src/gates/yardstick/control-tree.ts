import { createHash, randomBytes } from 'node:crypto';
import { ObjectReader } from '#git/objects/object-reader.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { type Change, GitTree } from '#git/trees/tree.ts';
import { writeChanged } from '#git/trees/write-tree.ts';
import { isTestFile } from '#tests/code/test-path.ts';
import { withControl } from './control-tests.ts';

export interface ControlledTree {
  readonly tree: string;
  /** Titles of the tests that must fail. */
  readonly names: readonly string[];
}

/** Nobody who works for a run can know it. */
const nonce = randomBytes(5).toString('hex');

/** Enough to see whether a runner tells the truth. */
const mostFiles = 200;

/** The same tree with a test that must fail in each test file; null when there is none that could have one. */
export async function controlledTree(scratch: Scratch, tree: string): Promise<ControlledTree | null> {
  const files = await GitTree.read(scratch.git, tree);
  const paths = files.matching(isTestFile).filter((path) => files.entry(path)?.mode.startsWith('100'));
  const texts = await readFilesAt(scratch.git, tree, paths.slice(0, mostFiles));
  const names: string[] = [];
  const changes = [...texts].flatMap(([path, text]): Change[] => {
    const name = nameFor(path);
    const controlled = withControl(path, text, name);
    const before = files.entry(path);
    if (controlled === null || before === undefined || before === null) return [];
    names.push(name);
    const id = scratch.own.add('blob', Buffer.from(controlled));
    return [{ status: 'modified', path, oldPath: null, before, after: { ...before, id } }];
  });
  if (changes.length === 0) return null;
  const objects = new ObjectReader(scratch.git);
  try {
    const written = await writeChanged({ scratch, objects }, tree, changes);
    return written === null ? null : { tree: written, names };
  } finally {
    objects.close();
  }
}

/** The same for a file on base and on the work. */
function nameFor(path: string): string {
  return `k${createHash('sha256').update(`${nonce} ${path}`).digest('hex').slice(0, 12)}`;
}
