import { resolve, sep } from 'node:path';
import { toolUse } from '#crew/state/classify.ts';
import { Semaphore } from '#lib/semaphore.ts';
import type { Incident } from '#schema/run.ts';
import { type Marks, pathsBetween } from './marks.ts';

interface Resting {
  readonly path: string;
  /** Null when it could not be read at the start: then nothing can be concluded about it. */
  marks: Marks | null;
  /** Tasks whose agents were running at any time since the marks were taken. */
  suspects: Set<string>;
  /** Everything that changed since it was created. */
  readonly changed: Set<string>;
}

/** More of the same adds no information. */
const mostReaches = 5;

/**
 * The worktrees of a run, guarded against each other. A worktree whose agent has not started must not change: changes there
 * come from running agents. In a worktree whose agent is running, a foreign change looks like its own; only the tools of
 * others that pointed there can be reported.
 */
export class Siblings {
  readonly #read: (path: string) => Promise<Marks | null>;
  readonly #resting = new Map<string, Resting>();
  readonly #atWork = new Map<string, string>();
  readonly #incidents = new Map<string, Incident[]>();
  readonly #crowds = new Set<Set<string>>();
  /** The set of working tasks must not change while their work is inspected. */
  readonly #turn = new Semaphore(1);

  /** If `read` returns null, the previous marks stay, and so do the suspects. */
  constructor(read: (path: string) => Promise<Marks | null>) {
    this.#read = read;
  }

  /** The worktree of a task is ready, and its agent has not started. */
  rest(id: string, path: string): Promise<void> {
    return this.#turn.pass(async () => {
      const suspects = new Set(this.#atWork.keys());
      this.#resting.set(id, { path, marks: await this.#read(path), suspects, changed: new Set() });
    });
  }

  /** We may change its worktree again: later changes are not blamed on other tasks. */
  leave(id: string): Promise<void> {
    return this.#turn.pass(async () => {
      this.#resting.delete(id);
    });
  }

  /** Its agent is about to start. Returns what others changed in its worktree before; null when unknown. */
  begin(id: string, path: string): Promise<string[] | null> {
    return this.#turn.pass(async () => {
      const resting = this.#resting.get(id);
      const isRead = resting === undefined || (await this.#look(id, resting));
      const changed = isRead ? [...(resting?.changed ?? [])] : null;
      this.#resting.delete(id);
      this.#atWork.set(id, path);
      for (const crowd of this.#crowds) crowd.add(id);
      for (const { suspects } of this.#resting.values()) suspects.add(id);
      return changed;
    });
  }

  /** Its agent has ended, with everything it started. Returns what it did to others, as far as that can be shown. */
  end(id: string): Promise<Incident[]> {
    return this.#turn.pass(async () => {
      for (const [other, resting] of this.#resting)
        if (await this.#look(other, resting)) resting.suspects.delete(id);
      this.#atWork.delete(id);
      const incidents = this.#incidents.get(id) ?? [];
      this.#incidents.delete(id);
      return incidents;
    });
  }

  /** Tasks whose agents were running at any time while something was done. */
  async besides<T>(
    body: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly others: readonly string[] }> {
    const crowd = new Set(this.#atWork.keys());
    this.#crowds.add(crowd);
    try {
      return { value: await body(), others: [...crowd] };
    } finally {
      this.#crowds.delete(crowd);
    }
  }

  /** Files of a task changed under its gates, not by the gates: the other running agents are reported. */
  suspect(id: string, others: readonly string[], paths: readonly string[]): void {
    for (const other of others.filter((each) => this.#atWork.has(each)))
      this.#tell(other, changedWhile(paths, id, 'whose gates ran', others));
  }

  /** Records that one of its tools pointed at the worktree of another running task. */
  see(id: string, tool: string, detail: string): void {
    if (toolUse(tool, detail) === 'explored') return;
    const own = this.#atWork.get(id);
    for (const [other, path] of this.#atWork) {
      if (other === id || own === undefined || !pointsTo(path, own, detail)) continue;
      const what = `${tool}: ${detail}`.slice(0, 200);
      this.#tell(
        id,
        `it accessed the worktree of task ${other}, whose agent was running too (${what}): what it changed there looks like the work of ${other}`,
      );
    }
  }

  async #look(id: string, resting: Resting): Promise<boolean> {
    const now = await this.#read(resting.path);
    if (now === null || resting.marks === null) return false;
    const paths = pathsBetween(resting.marks, now);
    const suspects = [...resting.suspects];
    resting.marks = now;
    resting.suspects = new Set(this.#atWork.keys());
    for (const path of paths) resting.changed.add(path);
    // An agent that has ended can no longer be named.
    for (const suspect of paths.length === 0 ? [] : suspects.filter((each) => this.#atWork.has(each)))
      this.#tell(suspect, changedWhile(paths, id, 'whose agent had not started', suspects));
    return true;
  }

  #tell(id: string, detail: string): void {
    const told = this.#incidents.get(id) ?? [];
    if (told.length >= mostReaches || told.some((incident) => incident.detail === detail)) return;
    this.#incidents.set(id, [...told, { kind: 'wrote-outside', detail, isBlocking: false }]);
  }
}

function changedWhile(
  paths: readonly string[],
  id: string,
  when: string,
  suspects: readonly string[],
): string {
  const who = suspects.length === 1 ? 'it' : `one of ${suspects.join(', ')}`;
  return `while it worked, ${named(paths)} changed in the worktree of task ${id}, ${when}: ${who}, or somebody else, wrote there`;
}

/** By full path only: `../api` in a command may well be one of the task's own folders. */
function pointsTo(path: string, own: string, detail: string): boolean {
  const [, ...rests] = detail.split(path);
  const isNamed = rests.some((rest) => !/^[\w@.-]/.test(rest));
  return isNamed || resolve(own, detail).startsWith(path + sep);
}

/** The first few, and the number of the others. */
export function named(paths: readonly string[]): string {
  return paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
}
