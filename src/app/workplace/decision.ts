import { appendFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { openRunStore } from '#crew/run-store.ts';
import { openRepository } from '#git/call/repository.ts';
import { type Caller, callerHere } from '#process/caller.ts';
import { refusalsName } from '#process/refusals.ts';
import type { Decider } from '#schema/decision.ts';
import { UsageError } from '#schema/errors.ts';
import type { Surroundings } from './surroundings.ts';

declare const fromDoor: unique symbol;

/** What a person or a policy of theirs decided. Only the doors of this file make one, and they refuse programs of the work. */
export type Decision = Exclude<Decider, { kind: 'work' }> & { readonly [fromDoor]: true };

type Work = Extract<Caller, { kind: 'work' }>;

/** The door of the command line: for a person, or a script of theirs. Work is refused, and its run's log names it. */
export async function decideHere(
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  what: string,
): Promise<Decision> {
  const caller = callerHere(env);
  if (caller.kind === 'work') await record({ cwd, env }, what, caller);
  return decideAtTerminal(env, what);
}

/** The same door for what is asked later in a process that has passed it. */
export function decideAtTerminal(env: NodeJS.ProcessEnv, what: string): Decision {
  const caller = callerHere(env);
  if (caller.kind === 'person') return byPerson('terminal');
  throw new UsageError({
    code: 'work-may-not-decide',
    message: `${what} is for a person, and ${caller.process} belongs to ${caller.mark === '' ? 'the work' : `the work ${caller.mark.replace(/#.*/, '')}`}`,
    hint: 'hand in what you need as a question in the handoff; a person answers it',
  });
}

/** The door of the dashboard, behind its pass: the server runs for a person. */
export function decideAtDashboard(): Decision {
  return byPerson('dashboard');
}

function byPerson(via: 'terminal' | 'dashboard'): Decision {
  return { kind: 'person', via, name: userName() } as unknown as Decision;
}

/** Containers may have users without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** In the log of its run; work that cannot reach the log leaves a note where its run looks. */
async function record(
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  what: string,
  { mark, process, evidence }: Work,
): Promise<void> {
  const refusal = { what, process, mark, evidence };
  try {
    const runs = openRunStore(await openRepository(cwd), { env });
    try {
      const run = mark.split('/')[0] ?? '';
      runs.engine.assertKnown(run);
      runs.engine.signal(run, { id: crypto.randomUUID(), name: 'refused', payload: refusal });
    } finally {
      runs.close();
    }
  } catch {
    note(env.TMPDIR, refusal);
  }
}

function note(folder: string | undefined, refusal: object): void {
  try {
    if (folder !== undefined) appendFileSync(join(folder, refusalsName), `${JSON.stringify(refusal)}\n`);
  } catch {
    // It was refused; where it can write nowhere, its own output says so.
  }
}
