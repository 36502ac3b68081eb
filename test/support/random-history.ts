import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { GitRepository } from './git-repository.ts';

type Edit =
  | { readonly kind: 'line'; readonly file: number; readonly line: number; readonly value: number }
  | { readonly kind: 'put'; readonly path: string; readonly like: number }
  | { readonly kind: 'move'; readonly file: number; readonly path: string }
  | { readonly kind: 'delete'; readonly file: number };

/** The next event of a history; refs are drawn by number. */
export type Event =
  | { readonly kind: 'commit'; readonly ref: number; readonly edit: Edit }
  /** A new branch: from the tip of another one, or from an earlier commit of any branch. */
  | { readonly kind: 'branch'; readonly from: number; readonly isEarlier: boolean; readonly edit: Edit }
  | {
      readonly kind: 'merge';
      readonly into: number;
      readonly other: number;
      readonly takes: 'ours' | 'theirs';
    }
  /** A cherry-pick: the same change at another place. */
  | { readonly kind: 'pick'; readonly ref: number; readonly commit: number };

const paths = ['a', 'b', 'd/a', 'd/b', 'd/c', 'e/a'];
const path = fc.constantFrom(...paths);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('line' as const),
      file: fc.nat(20),
      line: fc.nat(7),
      value: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('put' as const), path, like: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), file: fc.nat(20), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), file: fc.nat(20) }) },
);

/** Stacks, shared commits, cherry-picks, merges of main into branches and of branches into each other. */
export const events: fc.Arbitrary<Event[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('commit' as const), ref: fc.nat(20), edit }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('branch' as const),
        from: fc.nat(20),
        isEarlier: fc.boolean(),
        edit,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('merge' as const),
        into: fc.nat(20),
        other: fc.nat(20),
        takes: fc.constantFrom('ours' as const, 'theirs' as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('pick' as const), ref: fc.nat(20), commit: fc.nat(50) }),
    },
  ),
  { minLength: 8, maxLength: 22 },
);

/** Blob ids by path. */
type Tree = ReadonlyMap<string, string>;

interface Commit {
  readonly id: string;
  readonly tree: Tree;
  /** Its edit, if it was one edit. */
  readonly edit: Edit | null;
}

/** Plays events in a real repository. Main is the first ref. */
export class RandomHistory {
  readonly repository = new GitRepository();
  readonly #refs: { readonly name: string; tip: Commit }[] = [];
  readonly #commits: Commit[] = [];
  readonly #texts = new Map<string, string>();

  constructor(events: readonly Event[]) {
    const root = new Map(['a', 'b', 'd/a', 'd/b'].map((path, at) => [path, this.#blob(textLike(at))]));
    this.#refs.push({ name: 'main', tip: this.#commit(root, [], null) });
    for (const event of events) this.#play(event);
    const refs = this.#refs.map(({ name, tip }) => `update refs/heads/${name} ${tip.id}\n`).join('');
    this.repository.pipe(refs, ['update-ref', '--stdin']);
  }

  /** All but main. */
  get branches(): string[] {
    return this.#refs.slice(1).map(({ name }) => name);
  }

  #play(event: Event): void {
    switch (event.kind) {
      case 'commit':
        this.#edit(this.#ref(event.ref), event.edit);
        break;
      case 'pick': {
        const { edit } = this.#commits[event.commit % this.#commits.length] ?? { edit: null };
        if (edit) this.#edit(this.#ref(event.ref), edit);
        break;
      }
      case 'branch': {
        if (this.#refs.length > 6) break;
        const from = event.isEarlier
          ? this.#commits[event.from % this.#commits.length]
          : this.#ref(event.from).tip;
        const ref = { name: `b${this.#refs.length}`, tip: from ?? this.#ref(0).tip };
        this.#refs.push(ref);
        this.#edit(ref, event.edit);
        break;
      }
      case 'merge':
        this.#merge(this.#ref(event.into), this.#ref(event.other), event.takes);
    }
  }

  #ref(number: number): { readonly name: string; tip: Commit } {
    const ref = this.#refs[number % this.#refs.length];
    if (!ref) throw new Error('a history has main');
    return ref;
  }

  #edit(ref: { tip: Commit }, edit: Edit): void {
    const tree = this.#edited(ref.tip.tree, edit);
    if (tree) ref.tip = this.#commit(tree, [ref.tip.id], edit);
  }

  #edited(before: Tree, edit: Edit): Tree | null {
    const tree = new Map(before);
    if (edit.kind === 'put') return tree.set(edit.path, this.#blob(textLike(edit.like)));
    const [path, blob] = [...tree].sort()[edit.file % Math.max(tree.size, 1)] ?? [];
    if (path === undefined || blob === undefined) return null;
    if (edit.kind === 'line') {
      const lines = this.#text(blob).split('\n');
      return tree.set(
        path,
        this.#blob(lines.with(edit.line % lines.length, `value ${edit.value}`).join('\n')),
      );
    }
    tree.delete(path);
    return edit.kind === 'move' ? tree.set(edit.path, blob) : tree.size > 0 ? tree : null;
  }

  /** A conflict is resolved by taking one side completely. */
  #merge(into: { tip: Commit }, other: { tip: Commit }, takes: 'ours' | 'theirs'): void {
    const [ours, theirs] = [into.tip, other.tip];
    if (ours === theirs) return;
    const merged = mergeTrees(this.repository, ours.id, theirs.id);
    const tree =
      merged.status === 'clean'
        ? new Map(this.#list(merged.tree))
        : takes === 'ours'
          ? ours.tree
          : theirs.tree;
    into.tip = this.#commit(tree, [ours.id, theirs.id], null);
  }

  #commit(tree: Tree, parents: readonly string[], edit: Edit | null): Commit {
    const person = 'Test <test@localhost> 1767225600 +0000';
    const ancestry = parents.map((parent) => `parent ${parent}\n`).join('');
    const text = `tree ${this.#write(tree)}\n${ancestry}author ${person}\ncommitter ${person}\n\n${this.#commits.length}\n`;
    const made = { id: this.#add('commit', Buffer.from(text)), tree, edit };
    this.#commits.push(made);
    return made;
  }

  /** Paths are at most one directory deep. */
  #write(tree: Tree): string {
    const rows = [...tree].map(([path, id]) => ({ parts: path.split('/'), id }));
    const files = rows.flatMap(({ parts: [name = '', below], id }) =>
      below === undefined ? [{ key: name, name, mode: '100644', id }] : [],
    );
    const directories = Map.groupBy(
      rows.filter(({ parts }) => parts.length > 1),
      ({ parts: [name = ''] }) => name,
    );
    const entries = [...directories].map(([name, below]) => {
      const inside = new Map(below.map(({ parts, id }) => [parts[1] ?? '', id]));
      return { key: `${name}/`, name, mode: '40000', id: this.#write(inside) };
    });
    const sorted = [...files, ...entries].sort((a, b) => (a.key < b.key ? -1 : 1));
    const bytes = sorted.map(({ mode, name, id }) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    );
    return this.#add('tree', Buffer.concat(bytes));
  }

  #list(tree: string): [string, string][] {
    const rows = this.repository.git('ls-tree', '-r', tree).split('\n').filter(Boolean);
    return rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.slice(12, row.indexOf('\t'))]);
  }

  #text(blob: string): string {
    const known = this.#texts.get(blob) ?? this.repository.git('cat-file', 'blob', blob);
    this.#texts.set(blob, known);
    return known;
  }

  #blob(text: string): string {
    const id = this.#add('blob', Buffer.from(`${text}\n`));
    this.#texts.set(id, text);
    return id;
  }

  /** Written directly: a git process for each object would take most of the time. */
  #add(type: 'blob' | 'tree' | 'commit', content: Buffer): string {
    const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const id = createHash('sha1').update(bytes).digest('hex');
    const file = join(this.repository.dir, '.git', 'objects', id.slice(0, 2), id.slice(2));
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, deflateSync(bytes));
    }
    return id;
  }
}

/** Long enough for git to detect renames of changed files. */
function textLike(kind: number): string {
  return Array.from({ length: 8 }, (_, line) => `line ${line} of ${kind}`).join('\n');
}

type Merged = { readonly status: 'clean'; readonly tree: string } | { readonly status: 'conflict' };

/** Git itself failed, which some histories cause: its answer is unknown. */
export class GitFault extends Error {}

/** Git's merge of two commits. */
function mergeTrees(repository: GitRepository, ours: string, theirs: string): Merged {
  try {
    return { status: 'clean', tree: repository.git('merge-tree', '--write-tree', ours, theirs) };
  } catch (error) {
    if ((error as { status?: number | null }).status === 1) return { status: 'conflict' };
    throw new GitFault(String(error));
  }
}
