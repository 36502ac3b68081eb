import { askOnce } from '#check/typecheck/containment/ask-once.ts';
import type { Effort } from '#check/typecheck/containment/effort.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { Change, GitTree } from '#git/trees/tree.ts';
import type { Checked, CheckRequest } from './checker.ts';
import { CheckerClient } from './checker-client.ts';
import type { Rung } from './ladder.ts';
import type { TreeEntryMessage } from './messages.ts';

export interface TypeChecksSetup {
  readonly rung: Rung;
  readonly base: GitTree;
  readonly objects: ObjectReader;
  /** Where the tree is mounted. */
  readonly root: string;
  readonly cwd: string;
  /** `node_modules` folders without files of the repository. */
  readonly packages: readonly string[];
  /** Changes whenever the installed packages change. */
  readonly packagesState: string;
  /** CPU time for one question. */
  readonly timeLimitMs: number;
  readonly effort: Effort;
  readonly store: ResultStore;
  readonly onInterrupt: (cleanup: () => void) => () => void;
  /** The differences of a tree from base. */
  readonly differences: (tree: string) => Promise<readonly Change[]>;
}

/** Raise when answers to the same question change. */
const answersVersion = 2;
const readable = /\.(?:[cm]?[jt]sx?|json|jsonc)$/i;
const readAtOnce = 500;
const everyPath = (): boolean => true;

/** One compiler for many trees. The answer to each question is computed once and cached. */
export class TypeChecks {
  readonly #setup: TypeChecksSetup;
  readonly #answers = new Map<string, Promise<Checked>>();
  readonly #sent = new Set<string>();
  #client: CheckerClient | null = null;
  #settled: (() => void) | null = null;
  #tree = '';
  /** Trees that had to be checked, whether or not an earlier run knew the answer. */
  asked = 0;

  constructor(setup: TypeChecksSetup) {
    this.#setup = setup;
  }

  check(tree: string, request: CheckRequest): Promise<Checked> {
    const key = JSON.stringify([tree, request]);
    const known = this.#answers.get(key);
    if (known) return known;
    this.asked++;
    const answer = this.#fromStore(tree, request);
    this.#answers.set(key, answer);
    return answer;
  }

  #fromStore(tree: string, request: CheckRequest): Promise<Checked> {
    const { rung, root, packages, packagesState, store, timeLimitMs, effort } = this.#setup;
    const question = [
      answersVersion,
      tree,
      request,
      rung.kind,
      rung.version,
      rung.packageDir,
      root,
      packages,
      packagesState,
    ];
    return askOnce(store, question, timeLimitMs, async () => {
      effort.begin(request.project);
      const client = await this.#at(tree);
      const { checked } = await client.ask({ type: 'check', ...request }, 'checked');
      return checked;
    });
  }

  async #at(tree: string): Promise<CheckerClient> {
    const client = this.#client ?? (await this.#start());
    if (this.#tree === tree) return client;
    const changes = await this.#setup.differences(tree);
    const overlay = changes.flatMap(({ path, oldPath, after }): TreeEntryMessage[] => [
      ...(oldPath === null ? [] : [[oldPath, null, 'file'] as const]),
      after && after.kind !== 'submodule' ? [path, after.id, after.kind] : [path, null, 'file'],
    ]);
    await client.ask({ type: 'tree', overlay, blobs: await this.#blobs(overlay) }, 'ready');
    this.#tree = tree;
    return client;
  }

  async #start(): Promise<CheckerClient> {
    const { rung, base, root, packages, cwd, timeLimitMs, effort, onInterrupt } = this.#setup;
    const client = new CheckerClient(cwd, timeLimitMs, effort);
    this.#client = client;
    this.#settled = onInterrupt(() => client.close());
    const { kind, packageDir } = rung;
    await client.ask({ type: 'open', kind, packageDir, root, packages }, 'opened');
    const entries = base.matching(everyPath).flatMap((path): TreeEntryMessage[] => {
      const entry = base.entry(path);
      return entry && entry.kind !== 'submodule' ? [[path, entry.id, entry.kind]] : [];
    });
    await client.ask({ type: 'base', entries, blobs: await this.#blobs(entries) }, 'ready');
    this.#tree = base.id;
    return client;
  }

  /** Texts that the other process does not have yet. */
  async #blobs(entries: readonly TreeEntryMessage[]): Promise<[string, string][]> {
    const ids = entries.flatMap(([path, id, kind]) =>
      id !== null && !this.#sent.has(id) && (kind === 'symlink' || readable.test(path)) ? [id] : [],
    );
    const wanted = [...new Set(ids)];
    const blobs: [string, string][] = [];
    for (let start = 0; start < wanted.length; start += readAtOnce) {
      const some = wanted.slice(start, start + readAtOnce);
      const contents = await Promise.all(some.map((id) => this.#setup.objects.content(id)));
      contents.forEach((content, index) => {
        const id = some[index] ?? '';
        this.#sent.add(id);
        if (content) blobs.push([id, content.toString('utf8')]);
      });
    }
    return blobs;
  }

  close(): void {
    this.#client?.close();
    this.#settled?.();
    this.#client = null;
    this.#sent.clear();
  }
}
