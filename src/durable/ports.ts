import type { Store } from './store.ts';

const firstPort = 20_000;
const blockSize = 10;
/** Ends below the range from which systems pick ports for outgoing connections. */
const blocks = 1_200;

/** A range of ports that no other task of this repository has. The first port depends on the repository. */
export function claimPorts(
  store: Store,
  run: string,
  task: string,
  repositoryHash: number,
): [number, number] {
  return store.transaction(() => {
    const own = store.db.prepare('SELECT block FROM ports WHERE run = ? AND task = ?').get(run, task) as
      | { block: number }
      | undefined;
    if (own) return range(own.block);
    const taken = new Set(
      (store.db.prepare('SELECT block FROM ports').all() as { block: number }[]).map(({ block }) => block),
    );
    for (let n = 0; n < blocks; n++) {
      const block = (repositoryHash + n) % blocks;
      if (taken.has(block)) continue;
      store.db.prepare('INSERT INTO ports VALUES (?, ?, ?)').run(block, run, task);
      return range(block);
    }
    throw new Error(`all ${blocks} port ranges are in use: joinery prune frees those of old runs`);
  });
}

export function releasePorts(store: Store, run: string, task?: string): void {
  if (task === undefined) store.db.prepare('DELETE FROM ports WHERE run = ?').run(run);
  else store.db.prepare('DELETE FROM ports WHERE run = ? AND task = ?').run(run, task);
}

function range(block: number): [number, number] {
  return [firstPort + block * blockSize, blockSize];
}
