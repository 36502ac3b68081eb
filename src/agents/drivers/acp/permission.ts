import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { PermissionRequest } from './protocol.ts';

/** Kinds of tools that leave a folder as it is. A kind the agent does not name could be anything. */
const harmless: ReadonlySet<string> = new Set(['read', 'search', 'think']);
const changing: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

export interface Ruling {
  readonly decision: 'allowed' | 'denied';
  readonly answer:
    | { readonly outcome: 'selected'; readonly optionId: string }
    | { readonly outcome: 'cancelled' };
}

/**
 * What an agent is answered when it asks. Its own "plan" and "read-only" modes are modes in which it asks, so the
 * answer is what makes them so. Nothing is allowed for ever: that would be written into the user's own settings.
 */
export function rule({ toolCall, options }: PermissionRequest, mode: 'read' | 'edit', cwd: string): Ruling {
  const of = (...kinds: readonly string[]) =>
    kinds.flatMap((kind) => options.filter((option) => option.kind === kind)).at(0);
  const allow = isAllowed(toolCall, mode, cwd) ? of('allow_once', 'allow_always') : undefined;
  if (allow) return { decision: 'allowed', answer: { outcome: 'selected', optionId: allow.optionId } };
  const reject = of('reject_once', 'reject_always');
  return {
    decision: 'denied',
    answer: reject ? { outcome: 'selected', optionId: reject.optionId } : { outcome: 'cancelled' },
  };
}

function isAllowed(toolCall: PermissionRequest['toolCall'], mode: 'read' | 'edit', cwd: string): boolean {
  const { kind } = toolCall;
  if (mode === 'read') return harmless.has(kind ?? '');
  // Which mode it works in is for us to say.
  if (kind === 'switch_mode') return false;
  if (!changing.has(kind ?? '')) return true;
  const paths = pathsOf(toolCall);
  return paths.length > 0 && paths.every((path) => isInside(cwd, path));
}

/** What a tool is about to touch: where it says it works, and the files of the differences it shows. */
function pathsOf({ locations, content }: PermissionRequest['toolCall']): string[] {
  return [...(locations ?? []), ...(content ?? [])].flatMap(({ path }) => path ?? []);
}

/** By where its name leads: a link in the worktree may point out of it. */
function isInside(cwd: string, path: string): boolean {
  const real = realPath(resolve(cwd, path));
  if (real === null) return false;
  const way = relative(realpathSync(cwd), real);
  return (
    way !== '..' &&
    !way.startsWith(`..${sep}`) &&
    !isAbsolute(way) &&
    way.split(sep)[0]?.toLowerCase() !== '.git'
  );
}

/** Of a path that need not be there yet: its nearest folder that is. Null for a link that leads nowhere. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false })) return null;
    const folder = dirname(path) === path ? null : realPath(dirname(path));
    return folder === null ? null : join(folder, basename(path));
  }
}
