import { lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AgentDoors, AgentDriver, AgentEnd, AgentRequest } from '#agents/driver.ts';
import { Git } from '#git/call/git.ts';
import type { Handoff } from '#schema/handoff.ts';
import { type Scenario, type ScenarioAction, scriptFor } from '#schema/scenario.ts';

const pollMs = 100;

/** An agent that follows a scenario: for demos, tests and for trying out a plan without a model. */
export function scriptedDriver(
  scenario: Scenario,
  afterAction: (action: string) => void = () => {},
): AgentDriver {
  return {
    name: 'scripted',
    ambient: 'none',
    variables: [],
    play: (request, doors) => play(scenario, request, doors, afterAction),
  };
}

async function play(
  scenario: Scenario,
  request: AgentRequest,
  doors: AgentDoors,
  afterAction: (action: string) => void,
): Promise<AgentEnd> {
  const { task, role, round: n, step } = request;
  const script = scriptFor(scenario, { task, role, n, step });
  if (!script) {
    return { outcome: 'crashed', reason: `the scenario has no attempt ${request.round} of ${request.task}` };
  }
  const whenTold = script.whenTold ?? [];
  const session: Session = { request, doors, whenTold, afterAction, touched: new Set(), hasHandedIn: false };
  return (await performAll(script.do, session)) ?? finish(session);
}

async function performAll(actions: readonly ScenarioAction[], session: Session): Promise<AgentEnd | null> {
  for (const action of actions) {
    if (session.request.signal.aborted) return { outcome: 'cancelled', reason: '' };
    const end = await perform(action, session);
    if (end) return end;
    session.afterAction(Object.keys(action)[0] ?? '');
  }
  return null;
}

interface Session {
  readonly request: AgentRequest;
  readonly doors: AgentDoors;
  readonly touched: Set<string>;
  readonly whenTold: readonly ScenarioAction[];
  readonly afterAction: (action: string) => void;
  hasHandedIn: boolean;
}

/** Waits until the integration branch has a commit of this task: then its work is accepted. */
async function untilAccepted(task: string, { cwd, run, signal }: AgentRequest): Promise<AgentEnd | null> {
  const git = new Git({ cwd });
  const names = ['log', '--format=%(trailers:key=Joinery-Task,valueonly)', `joinery/${run}/integration`];
  while (!signal.aborted) {
    const { stdout } = await git.run(names, { accept: [0, 128] });
    if (stdout.toString('utf8').split('\n').includes(task)) return null;
    await wait(pollMs, undefined, { signal }).catch(() => {});
  }
  return { outcome: 'cancelled', reason: '' };
}

/** A script without a handoff hands in the files it changed. */
async function finish(session: Session): Promise<AgentEnd> {
  if (session.hasHandedIn) return { outcome: 'ok', reason: '' };
  const answer = session.doors.submit(handoffFor(session, {}));
  if (answer.accepted || answer.isFinal || !answer.isAboutWork) return { outcome: 'ok', reason: '' };
  session.doors.report({ type: 'text', text: answer.text });
  return (await performAll(session.whenTold, session)) ?? finish(session);
}

async function perform(action: ScenarioAction, session: Session): Promise<AgentEnd | null> {
  const { doors, request } = session;
  if ('say' in action) doors.report({ type: 'text', text: action.say });
  else if ('usage' in action) doors.report({ type: 'usage', usage: action.usage });
  else if ('sleepMs' in action) {
    const woken = await wait(action.sleepMs, 'slept', { signal: request.signal }).catch(() => 'woken');
    if (woken === 'woken') return { outcome: 'cancelled', reason: '' };
  } else if ('awaits' in action) return untilAccepted(action.awaits, request);
  else if ('handoff' in action) {
    session.hasHandedIn = true;
    const given = action.handoff;
    const answer = doors.submit(isRecord(given) ? handoffFor(session, given) : given);
    if (!answer.accepted) doors.report({ type: 'text', text: answer.text });
  } else if ('exit' in action) {
    return action.exit === 'ok' ? finish(session) : { outcome: action.exit, reason: 'as the scenario says' };
  } else return changeFile(action, session);
  return null;
}

type FileAction = Extract<ScenarioAction, { write: unknown } | { edit: unknown } | { delete: unknown }>;

function changeFile(action: FileAction, session: Session): AgentEnd | null {
  const [tool, path] =
    'write' in action
      ? (['write', action.write.path] as const)
      : 'edit' in action
        ? (['edit', action.edit.path] as const)
        : (['delete', action.delete] as const);
  const file = insideOf(session.request.tree ?? session.request.cwd, path);
  if (!file) return { outcome: 'denied', reason: `${JSON.stringify(path)} is outside the worktree` };
  session.doors.report({ type: 'tool', tool, detail: path, status: 'ended', call: null });
  try {
    if ('write' in action) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, action.write.content);
    } else if ('edit' in action) {
      const { find, replace } = action.edit;
      const before = readFileSync(file, 'utf8');
      if (!before.includes(find)) return { outcome: 'crashed', reason: `text to edit not found in ${path}` };
      // A function, because in a replacement string `$&` has a special meaning.
      writeFileSync(
        file,
        before.replace(find, () => replace),
      );
    } else rmSync(file);
  } catch (error) {
    return { outcome: 'crashed', reason: `${tool} ${path}: ${(error as Error).message}` };
  }
  session.touched.add(path);
  return null;
}

/** The path in the worktree; null if it leaves the worktree, also through a link, or touches git's files. */
function insideOf(cwd: string, path: string): string | null {
  const parts = path.split(/[\\/]/);
  if (isAbsolute(path) || path.includes('\0') || parts.includes('..')) return null;
  if (parts.some((part) => part.toLowerCase() === '.git')) return null;
  const root = realpathSync(cwd);
  const file = resolve(root, path);
  if (file === root) return null;
  let existing = file;
  while (!exists(existing)) existing = dirname(existing);
  const real = existing === root ? root : realpathOrNull(existing);
  return real !== null && (real === root || real.startsWith(root + sep))
    ? join(root, file.slice(root.length))
    : null;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function realpathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function handoffFor(session: Session, given: Record<string, unknown>): unknown {
  const { run, task, attempt, role } = session.request;
  const plain: Handoff = {
    v: 1,
    run,
    step: task,
    attempt,
    role,
    consumed: [],
    produced: [],
    decisions: [],
    assumptions: [],
    limitations: [],
    files: [...session.touched],
    tests: [],
  };
  return { ...plain, ...given };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
