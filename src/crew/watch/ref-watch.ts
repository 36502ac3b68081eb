import { sep } from 'node:path';
import { agentAddress, foreignRef } from '#crew/state/names.ts';
import type { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { isAncestor } from '#git/merges/branches.ts';
import { recentMoves } from '#git/refs/reflog.ts';
import type { RunRefs } from '#git/refs/run-refs.ts';
import {
  type RefSnapshot,
  readRefSnapshot,
  removeSymbolic,
  restoreHead,
  type WorktreeHeadFile,
} from '#git/worktrees/ref-snapshot.ts';
import { readWorktreeHead } from '#git/worktrees/worktrees.ts';
import { Semaphore } from '#lib/semaphore.ts';
import type { Incident } from '#schema/run.ts';
import { type Change, isRefCommand, movesSince, shortName, type Worker, whoMoved } from './who-moved.ts';

export interface RefWatchOptions {
  readonly run: string;
  readonly token: number;
  readonly repository: Repository;
  readonly git: Git;
  readonly refs: RunRefs;
  /** Task id → its name in branches; grows with the run. */
  readonly slugs: ReadonlyMap<string, string>;
  /** Parent folder of the worktrees of all runs. */
  readonly worktrees: string;
  /** Reports what cannot be attributed to an agent. */
  readonly report: (what: string) => void;
  readonly everyMs?: number;
}

interface AtWork {
  readonly id: string;
  readonly branch: string;
  readonly path: string;
  /** Moves of its HEAD that we made. */
  readonly movesBefore: number;
  readonly commands: string[];
}

const mostCommands = 200;
/** Watching takes at most a twentieth of the time. */
const restPerLook = 20;

/**
 * Watches all refs and the HEAD of every worktree before, during and after agents work. Refs of the run belong to us: a
 * foreign move is undone. The user's refs are moved back only if an agent is shown to have moved them. Overwritten values
 * stay reachable below refs/joinery/<run>/kept/refs/.
 */
export class RefWatch {
  readonly #options: RefWatchOptions;
  readonly #atWork = new Map<string, AtWork>();
  readonly #incidents = new Map<string, Incident[]>();
  readonly #turn = new Semaphore(1);
  #seen: RefSnapshot | null = null;
  #kept = 0;
  readonly #warned = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RefWatchOptions) {
    this.#options = options;
  }

  /** The agent of a task is about to start in a worktree with its branch checked out. */
  async begin(id: string, path: string, branch: string): Promise<void> {
    await this.look();
    const head = await readWorktreeHead(this.#options.repository, path);
    const movesBefore = head?.moves.length ?? 0;
    this.#atWork.set(id, { id, path, branch: `refs/heads/${branch}`, movesBefore, commands: [] });
    this.#later(0);
  }

  /** Its agent has ended, with everything it started. Returns which refs it moved. */
  async end(id: string): Promise<Incident[]> {
    await this.look();
    this.#atWork.delete(id);
    const incidents = this.#incidents.get(id) ?? [];
    this.#incidents.delete(id);
    return incidents;
  }

  /** A tool of its agent was used. */
  see(id: string, detail: string): void {
    const commands = this.#atWork.get(id)?.commands;
    if (commands && commands.length < mostCommands && isRefCommand(detail))
      commands.push(detail.slice(0, 1000));
  }

  /** Whether the agent of another task moved the HEAD of a worktree. */
  isForeign(id: string, who: string): boolean {
    const by = this.#taskOf(who);
    return by !== null && by !== id;
  }

  /** Looked up each time: a run may get more tasks. */
  #taskOf(address: string): string | null {
    const { run, slugs } = this.#options;
    return [...slugs].find(([, slug]) => agentAddress(run, slug) === address)?.[0] ?? null;
  }

  look(): Promise<void> {
    return this.#turn.pass(() => this.#look());
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#atWork.clear();
  }

  #later(tookMs: number): void {
    clearTimeout(this.#timer);
    if (this.#atWork.size === 0) return;
    const waitMs = Math.max(this.#options.everyMs ?? 2000, tookMs * restPerLook);
    this.#timer = setTimeout(async () => {
      const began = performance.now();
      // A process that lost the run must stop watching; the new driver is informed elsewhere.
      await this.look().catch(() => {});
      this.#later(performance.now() - began);
    }, waitMs).unref();
  }

  async #look(): Promise<void> {
    const { repository, git, refs } = this.#options;
    const writes = refs.writes;
    const now = await readRefSnapshot(repository, git);
    // A write of ours that ended since then is not in what was read, and would look like a foreign move.
    const isSteady = () => writes !== null && writes === refs.writes;
    const before = this.#seen;
    this.#seen = now;
    this.#warnOfCheckouts(now);
    if (before === null) return;
    const workers = await this.#workers();
    // First, while the branch that a HEAD was switched to still exists.
    const heads = await this.#lookAtHeads(before, now, workers);
    const settled = new Map(now.refs);
    for (const ref of new Set([...before.refs.keys(), ...now.refs.keys()])) {
      const [from, to] = [this.#expected(ref, before), now.refs.get(ref) ?? null];
      const change = { ref, from, to, standsFor: now.symbolic.get(ref) ?? null };
      if (from === to || ref === refs.fence) continue;
      if (this.#isOfRun(ref) && !isSteady()) put(settled, ref, before.refs.get(ref) ?? null);
      else if (await this.#judge(change, workers)) put(settled, ref, from);
    }
    this.#seen = { ...now, refs: settled, heads };
  }

  /** The branch moves while it is checked out elsewhere: accepted work then looks like staged deletions there. */
  #warnOfCheckouts({ heads }: RefSnapshot): void {
    const { run, worktrees, report } = this.#options;
    const branch = `joinery/${run}/integration`;
    for (const [path, { value }] of heads) {
      if (value !== `ref: refs/heads/${branch}` || path.startsWith(worktrees + sep) || this.#warned.has(path))
        continue;
      this.#warned.add(path);
      report(
        `${path} has ${branch} checked out, which this run moves on: commit nothing there; afterwards: git reset --hard`,
      );
    }
  }

  #expected(ref: string, before: RefSnapshot): string | null {
    const written = this.#isOfRun(ref) ? this.#options.refs.written(ref) : undefined;
    return written === undefined ? (before.refs.get(ref) ?? null) : written;
  }

  async #workers(): Promise<Worker[]> {
    const { repository, run, slugs } = this.#options;
    return Promise.all(
      [...this.#atWork.values()].map(async ({ id, branch, path, movesBefore, commands }) => {
        const head = await readWorktreeHead(repository, path);
        const address = agentAddress(run, slugs.get(id) ?? id);
        return { id, address, branch, path, commands, moves: head?.moves.slice(movesBefore) ?? [] };
      }),
    );
  }

  #isOfRun(ref: string): boolean {
    const { run } = this.#options;
    return ref.startsWith(`refs/heads/joinery/${run}/`) || ref.startsWith(`refs/joinery/${run}/`);
  }

  /** True if the ref is where it was before. */
  async #judge(change: Change, workers: readonly Worker[]): Promise<boolean> {
    const { ref, from } = change;
    const log = await recentMoves(this.#options.repository.commonDir, ref);
    const known = whoMoved(change, log, workers, (address) => this.#taskOf(address));
    const owner = workers.find(({ branch }) => branch === ref);
    // An agent that commits moves its own branch: that is handled with its work.
    if (owner && (known === null || known === owner.id)) return false;
    if (this.#isOfRun(ref)) return this.#judgeOwn(change, known, workers);
    if (known === null) {
      await this.#remark(change, workers);
      return false;
    }
    // Someone moved it after the agent: do not move it back.
    const last = movesSince(log, from).at(-1);
    const isLast = last === undefined || this.#taskOf(last.who) !== null;
    // The reflog of the stash is a stack that people pop from: it stays unchanged.
    const isStash = ref === 'refs/stash';
    const undone = isLast && !isStash ? await this.#undo(change) : null;
    this.#tell(known, describe(change, undone), from !== null && !isStash);
    return undone !== null;
  }

  /** Only we may change refs of the run: other changes are always undone. */
  async #judgeOwn(change: Change, known: string | null, workers: readonly Worker[]): Promise<boolean> {
    const undone = await this.#undo(change);
    const suspects = known === null ? workers.map(({ id }) => id) : [known];
    const [only] = suspects;
    if (only === undefined)
      this.#options.report(`another process moved a ref of this run: ${describe(change, undone)}`);
    else if (suspects.length === 1) this.#tell(only, describe(change, undone), true);
    else
      for (const each of suspects)
        this.#tell(
          each,
          `${describe(change, undone)} (one of ${suspects.join(', ')}, or somebody else)`,
          false,
        );
    return undone !== null;
  }

  /** A person may commit, switch branches and fetch while agents work: reported, but no task is blamed. */
  async #remark(change: Change, workers: readonly Worker[]): Promise<void> {
    const { ref, from, to } = change;
    if (/^refs\/(remotes|joinery|heads\/joinery)\//.test(ref) || from === null) return;
    if (workers.length === 0) return;
    const kept = to === null ? await this.#keep(from) : null;
    const ids = workers.map(({ id }) => id);
    const who = ids.length === 1 ? 'it' : `one of ${ids.join(', ')}`;
    const how = `while it worked, ${shortName(ref)} ${moved(change)}: ${who}, or somebody else, did that`;
    for (const id of ids)
      this.#tell(id, kept === null ? how : `${how}; what it was is kept as ${kept}`, false);
  }

  /** Null if it has moved again meanwhile. The replaced value stays reachable. */
  async #undo({ ref, from, to, standsFor }: Change): Promise<{ readonly kept: string | null } | null> {
    const { refs, git } = this.#options;
    if (standsFor !== null) {
      await refs.assertHeld();
      await removeSymbolic(git, ref);
    }
    const kept = to === null ? null : await this.#keep(to);
    const isDone =
      from === null ? to !== null && (await refs.remove(ref, to)) : await refs.move(ref, from, to);
    return isDone ? { kept } : null;
  }

  async #keep(value: string): Promise<string | null> {
    const { run, token, refs } = this.#options;
    this.#kept += 1;
    const ref = foreignRef(run, token, this.#kept);
    return (await refs.move(ref, value, null)) ? ref : null;
  }

  async #lookAtHeads(
    before: RefSnapshot,
    now: RefSnapshot,
    workers: readonly Worker[],
  ): Promise<Map<string, WorktreeHeadFile>> {
    const heads = new Map(now.heads);
    for (const [path, head] of now.heads) {
      const worker = workers.find((each) => each.path === path);
      const old = worker ? `ref: ${worker.branch}` : before.heads.get(path)?.value;
      const isOurs = path.startsWith(this.#options.worktrees + sep);
      if (old === undefined || old === head.value || (isOurs && !worker)) continue;
      if (await this.#judgeHead(path, head, old, worker ?? null, workers))
        heads.set(path, { ...head, value: old });
    }
    return heads;
  }

  async #judgeHead(
    path: string,
    head: WorktreeHeadFile,
    old: string,
    owner: Worker | null,
    workers: readonly Worker[],
  ): Promise<boolean> {
    const log = await recentMoves(head.gitDir, 'HEAD');
    const known = this.#taskOf(log.at(-1)?.who ?? '');
    if (owner && (known === null || known === owner.id)) return false;
    const where = owner ? `the worktree of task ${owner.id}` : path;
    const what = `switched ${where} from ${shown(old)} to ${shown(head.value)}`;
    if (known === null) {
      for (const { id } of workers) this.#tell(id, `while it worked, it or somebody else ${what}`, false);
      return false;
    }
    await this.#options.refs.assertHeld();
    const isDone =
      (owner !== null || (await this.#descends(head.value, old))) && (await restoreHead(head, old));
    this.#tell(known, `it ${what}${isDone ? '; that was undone' : ''}`, true);
    return isDone;
  }

  /** Files of a checkout belong to its HEAD: moving HEAD back would make them look like changes. */
  async #descends(value: string, old: string): Promise<boolean> {
    const { git } = this.#options;
    const [now, before] = [value, old].map((each) => each.replace(/^ref: /, ''));
    return isAncestor(git, before ?? '', now ?? '').catch(() => false);
  }

  #tell(id: string, detail: string, isBlocking: boolean): void {
    const told = this.#incidents.get(id) ?? [];
    if (told.some((incident) => incident.detail === detail)) return;
    this.#incidents.set(id, [...told, { kind: 'moved-ref', detail, isBlocking }]);
  }
}

function put(refs: Map<string, string>, ref: string, value: string | null): void {
  if (value === null) refs.delete(ref);
  else refs.set(ref, value);
}

function describe(change: Change, undone: { readonly kept: string | null } | null): string {
  const kept = undone?.kept ? `; ${change.to?.slice(0, 12)} is kept as ${undone.kept}` : '';
  return `${change.ref} ${moved(change)}${undone ? ', which was undone' : ''}${kept}`;
}

function moved({ from, to, standsFor }: Change): string {
  if (standsFor !== null)
    return `was made another name for ${shortName(standsFor)} (it was at ${from?.slice(0, 12)})`;
  if (from === null) return `was made at ${to?.slice(0, 12)}`;
  return to === null
    ? `was deleted (it was at ${from.slice(0, 12)})`
    : `was moved from ${from.slice(0, 12)} to ${to.slice(0, 12)}`;
}

function shown(value: string): string {
  return value.startsWith('ref: ') ? shortName(value.slice('ref: '.length)) : value.slice(0, 12);
}
