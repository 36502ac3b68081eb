import { statSync } from 'node:fs';

/** A path outside git and what was there: `['/usr/bin/go', '1731.5 2480 33261']`; '' where nothing was. */
export type Seen = readonly [path: string, state: string];

/** What a check looked at outside git: its report counts as long as all of it is as it was. */
export class Looked {
  readonly #seen = new Map<string, string>();

  note(path: string): void {
    if (!this.#seen.has(path)) this.#seen.set(path, stateOf(path));
  }

  get seen(): Seen[] {
    return [...this.#seen];
  }
}

export function isAsSeen(seen: readonly Seen[]): boolean {
  return seen.every(([path, state]) => stateOf(path) === state);
}

/** Changes when a file is written or replaced, and when an entry is added to a folder or removed from it. */
function stateOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}` : '';
}
