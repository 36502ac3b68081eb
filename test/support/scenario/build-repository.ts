import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Git } from '#git/call/git.ts';
import { applyChanges, type Changes, type Files, type Fork } from './scenario.ts';

const identity = 'Joinery <joinery@localhost> 1700000000 +0000';

/**
 * Many forks as one repository, without a checkout: the branches of the fork at index 7 are `7/main`, `7/a`, `7/b`…
 * One repository and one git process for all keeps a thousand scenarios within seconds.
 */
export async function buildRepository(forks: readonly Fork[], dir: string): Promise<Git> {
  await new Git().run(['init', '-q', '-b', 'main', '--template=', dir]);
  const git = new Git({ cwd: dir });
  const stream = new ImportStream();
  for (const [index, fork] of forks.entries()) writeFork(stream, String(index), fork);
  const marks = join(dir, '.git', 'marks');
  const config = ['-c', 'fastimport.unpackLimit=1'];
  await git.run([...config, 'fast-import', '--quiet', `--export-marks=${marks}`], { input: stream.bytes() });
  const ids = new Map(
    readFileSync(marks, 'utf8')
      .split('\n')
      .map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
  );
  writeRefs(dir, new Map([...stream.tips].map(([ref, mark]) => [ref, ids.get(`:${mark}`) ?? ''])));
  rmSync(marks);
  return git;
}

/** One file for all refs: git would write thousands, and read them one by one. */
function writeRefs(dir: string, refs: ReadonlyMap<string, string>): void {
  const lines = [...refs].map(([ref, commit]) => ({ ref: `refs/heads/${ref}`, commit }));
  const sorted = lines
    .toSorted((a, b) => (a.ref < b.ref ? -1 : 1))
    .map(({ ref, commit }) => `${commit} ${ref}\n`);
  writeFileSync(
    join(dir, '.git', 'packed-refs'),
    ['# pack-refs with: peeled fully-peeled sorted \n', ...sorted].join(''),
  );
}

function writeFork(stream: ImportStream, prefix: string, { base, branches, main }: Fork): void {
  const start = stream.commit('base', null, new Map(), base);
  const grow = (name: string, changes: Changes) =>
    stream.commit(name, start, base, applyChanges(base, changes));
  for (const { name, changes } of branches) stream.tips.set(`${prefix}/${name}`, grow(name, changes));
  stream.tips.set(`${prefix}/main`, main ? grow('main', main) : start);
}

/** All commits pass through one ref, which is deleted at the end: git writes a file for each ref it imports. */
const passage = 'refs/import';

/** The input of `git fast-import`: contents that several forks share are written once. */
class ImportStream {
  /** The mark of the last commit of each branch. */
  readonly tips = new Map<string, number>();
  readonly #blobs: Buffer[] = [];
  readonly #commits: Buffer[] = [];
  readonly #marks = new Map<Buffer, number>();
  #last = 0;

  /** A commit on top of `parent` that turns one set of files into another; returns its mark. */
  commit(message: string, parent: number | null, before: Files, after: Files): number {
    const mark = ++this.#last;
    const lines = [
      `reset ${passage}\ncommit ${passage}\nmark :${mark}\ncommitter ${identity}\n`,
      `data ${message.length}\n${message}\n`,
      parent === null ? '' : `from :${parent}\n`,
    ];
    for (const path of before.keys()) if (!after.has(path)) lines.push(`D ${quotePath(path)}\n`);
    for (const [path, content] of after)
      if (!before.get(path)?.equals(content))
        lines.push(`M 100644 :${this.#blob(content)} ${quotePath(path)}\n`);
    this.#commits.push(Buffer.from(lines.join('')));
    return mark;
  }

  bytes(): Buffer {
    const end = Buffer.from(`reset ${passage}\nfrom ${'0'.repeat(40)}\n`);
    return Buffer.concat([...this.#blobs, ...this.#commits, end]);
  }

  #blob(content: Buffer): number {
    const known = this.#marks.get(content);
    if (known !== undefined) return known;
    const mark = ++this.#last;
    this.#marks.set(content, mark);
    this.#blobs.push(
      Buffer.from(`blob\nmark :${mark}\ndata ${content.length}\n`),
      content,
      Buffer.from('\n'),
    );
    return mark;
  }
}

function quotePath(path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return escaped === path ? path : `"${escaped}"`;
}
