import { isAbsolute, relative, resolve, sep } from 'node:path';
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

function isAllowed(
  { kind, locations }: PermissionRequest['toolCall'],
  mode: 'read' | 'edit',
  cwd: string,
): boolean {
  if (mode === 'read') return harmless.has(kind ?? '');
  // Which mode it works in is for us to say.
  if (kind === 'switch_mode') return false;
  return !changing.has(kind ?? '') || (locations ?? []).every(({ path }) => isInside(cwd, path));
}

function isInside(cwd: string, path: string): boolean {
  const way = relative(cwd, resolve(cwd, path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way) && way.split(sep)[0] !== '.git';
}
