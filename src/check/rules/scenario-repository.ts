import { Git } from '#git/git.ts';
import { mergePairs } from '#git/unions.ts';
import { applyOverlay, type Files, type Scenario } from './scenario.ts';

const identity = 'Joinery <joinery@localhost> 1700000000 +0000';

/**
 * Many scenarios as one repository, without a checkout: the branches of the scenario at index 7 are `7/main`,
 * `7/a`, `7/b`… One repository for all keeps hundreds of scenarios within seconds.
 */
export async function buildRepository(scenarios: readonly Scenario[], dir: string): Promise<Git> {
  await new Git().run(['init', '-q', '-b', 'main', '--template=', dir]);
  const git = new Git({ cwd: dir });
  const blobs = new Blobs();
  const commits = scenarios.flatMap((scenario, index) => commitsOf(scenario, index, blobs));
  const input = Buffer.concat([...blobs.parts, ...commits]);
  await git.run(['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet'], { input });
  return git;
}

/** Contents of a fast-import stream: what several scenarios share is written once. */
class Blobs {
  readonly parts: Buffer[] = [];
  readonly #marks = new Map<Buffer, number>();

  mark(content: Buffer): number {
    const known = this.#marks.get(content);
    if (known !== undefined) return known;
    const mark = this.#marks.size + 1;
    this.#marks.set(content, mark);
    this.parts.push(Buffer.from(`blob\nmark :${mark}\ndata ${content.length}\n`), content, Buffer.from('\n'));
    return mark;
  }
}

function commitsOf({ base, branches, movedBase }: Scenario, index: number, blobs: Blobs): Buffer[] {
  const main = `${index}/main`;
  const write = (branch: string, from: string | null, before: Files, after: Files) =>
    commit({ branch, from, before, after }, blobs);
  return [
    write(main, null, new Map(), base),
    ...branches.map((overlay) => write(`${index}/${overlay.name}`, main, base, applyOverlay(base, overlay))),
    ...(movedBase ? [write(main, null, base, applyOverlay(base, movedBase))] : []),
  ];
}

interface Commit {
  readonly branch: string;
  readonly from: string | null;
  readonly before: Files;
  readonly after: Files;
}

/** A commit of a fast-import stream, on top of `from` or of the branch itself. */
function commit({ branch, from, before, after }: Commit, blobs: Blobs): Buffer {
  const lines = [
    `commit refs/heads/${branch}\ncommitter ${identity}\ndata ${branch.length}\n${branch}\n`,
    from === null ? '' : `from refs/heads/${from}\n`,
  ];
  for (const path of before.keys()) if (!after.has(path)) lines.push(`D ${path}\n`);
  for (const [path, content] of after) {
    if (before.get(path)?.equals(content)) continue;
    lines.push(`M 100644 :${blobs.mark(content)} ${path}\n`);
  }
  return Buffer.from([...lines, '\n'].join(''));
}

/** For each list of branches the tree that git makes of them; null when the text does not merge. */
export async function mergeText(
  git: Git,
  unions: readonly (readonly string[])[],
): Promise<(string | null)[]> {
  const firsts = unions.map(([first = '', second = first]) => [first, second] as const);
  const merges = await mergePairs(git, firsts);
  return Promise.all(
    merges.map(async (merge, index) => {
      if (merge.status !== 'clean') return null;
      const [first = '', second = '', third] = unions[index] ?? [];
      if (third === undefined) return merge.tree;
      const parents = ['-p', first, '-p', second, '-m', 'union'];
      const config = ['-c', 'user.name=Joinery', '-c', 'user.email=joinery@localhost'];
      const union = await git.text([...config, 'commit-tree', merge.tree, ...parents]);
      const [last] = await mergePairs(git, [[union, third]]);
      return last?.status === 'clean' ? last.tree : null;
    }),
  );
}

/** Writes each tree to a folder of its own below `target`. */
export async function writeTrees(
  git: Git,
  trees: ReadonlyMap<string, string>,
  target: string,
): Promise<void> {
  const lines = [...trees].map(([name, tree]) => `040000 tree ${tree}\t${name}\n`);
  const all = await git.text(['mktree'], { input: lines.join('') });
  await git.run([`--work-tree=${target}`, 'checkout', '-f', all, '--', '.'], {
    env: { GIT_INDEX_FILE: `${target}/.index` },
  });
}
