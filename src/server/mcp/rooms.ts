import type { WorkflowRoom } from '#app/workflow/workflow-room.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';

/** Loaded by the first call: clients want the list of tools at once, and the workflow code is large. */
const desk = () => import('./tools/workflow-desk.ts');

type Room = WorkflowRoom & { close(): void };

interface OpenRoom {
  readonly room: Promise<Room>;
  /** Calls that work in it now. */
  users: number;
}

/** An open room holds the log of its repository: a few files each. */
const mostOpen = 16;

/**
 * Rooms stay open between calls: an open log answers in a millisecond. Of those that no call works in, only the last ones used stay open.
 */
export class Rooms {
  /** By folder; the one used last comes last. */
  readonly #open = new Map<string, OpenRoom>();
  readonly #here: Pick<Surroundings, 'env'> & { warn(message: string): void };

  constructor(here: Pick<Surroundings, 'env'> & { warn(message: string): void }) {
    this.#here = here;
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Works in a room, with the workflow files read again. */
  async use<T>(cwd: string, body: (room: WorkflowRoom) => T | Promise<T>): Promise<T> {
    const { room, release } = await this.borrow(cwd);
    try {
      return await body(room);
    } finally {
      release();
    }
  }

  /** The same for a caller that says later when it has finished. */
  async borrow(cwd: string): Promise<{ readonly room: WorkflowRoom; release(): void }> {
    const open = this.#open.get(cwd) ?? { room: this.#openAt(cwd), users: 0 };
    this.#open.delete(cwd);
    this.#open.set(cwd, open);
    open.users += 1;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      open.users -= 1;
      this.#closeOldest();
    };
    try {
      const room = await open.room;
      this.#closeOldest();
      return { room: withFreshCatalogue(room), release };
    } catch (error) {
      // A folder that is not a repository now may become one later.
      if (this.#open.get(cwd) === open) this.#open.delete(cwd);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const { room } of this.#open.values()) await room.then((open) => open.close()).catch(() => {});
    this.#open.clear();
  }

  async #openAt(cwd: string): Promise<Room> {
    const { env, warn } = this.#here;
    const { openWorkflowRoom } = await desk();
    return openWorkflowRoom({
      cwd,
      env,
      terminal: { warn, progress: () => {} },
      onInterrupt: () => () => {},
    });
  }

  #closeOldest(): void {
    for (const [cwd, { room, users }] of this.#open) {
      if (this.#open.size <= mostOpen) return;
      if (users > 0) continue;
      this.#open.delete(cwd);
      room.then((open) => open.close()).catch(() => {});
    }
  }
}

function withFreshCatalogue(room: Room): WorkflowRoom {
  return {
    ...room,
    get catalogue() {
      return room.readCatalogue();
    },
  };
}
