import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { PermissionRequest } from './protocol.ts';

/** Kinds of tools that leave a folder as it is. A kind the agent does not name could be anything. */
const harmless: ReadonlySet<string> = new Set(['read', 'search', 'think']);
/** Whatever it names besides, what these do is not told by paths. `other` is what tools of MCP servers are. */
const elsewhere: ReadonlySet<string> = new Set(['execute', 'fetch', 'other']);

type ToolCall = PermissionRequest['toolCall'];

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

function isAllowed(toolCall: ToolCall, mode: 'read' | 'edit', cwd: string): boolean {
  const kind = toolCall.kind ?? '';
  if (mode === 'read') return harmless.has(kind);
  // Which mode it works in is for us to say.
  if (kind === 'switch_mode') return false;
  if (harmless.has(kind) || elsewhere.has(kind)) return true;
  // Edits, deletions, moves, and what does not say what it is: that could be any of them.
  const paths = pathsOf(toolCall);
  return paths.length > 0 && paths.every((path) => isInside(cwd, path));
}

/** What a tool is about to touch: where it says it works, and the files of the differences it shows. */
function pathsOf({ locations, content }: ToolCall): string[] {
  return [...(locations ?? []), ...(content ?? [])].flatMap(({ path }) => path ?? []);
}

/** More tools at a time than anybody uses; of one that was forgotten, only what the question itself says counts. */
const mostOpen = 1000;

/** Tools that were announced and have not ended: a question about one may leave out what was said before. */
export class Announcements {
  readonly #open = new Map<string, ToolCall>();

  see(update: ToolCall): void {
    const { toolCallId, status } = update;
    const isOver = status === 'completed' || status === 'failed';
    const known = this.complete(update);
    this.#open.delete(toolCallId);
    if (!isOver) this.#open.set(toolCallId, known);
    const [oldest] = this.#open.size > mostOpen ? this.#open.keys() : [];
    if (oldest !== undefined) this.#open.delete(oldest);
  }

  /** A new statement replaces the earlier one. */
  complete(update: ToolCall): ToolCall {
    const before = this.#open.get(update.toolCallId);
    return {
      ...update,
      kind: update.kind ?? before?.kind,
      title: update.title ?? before?.title,
      locations: update.locations ?? before?.locations,
      content: update.content ?? before?.content,
    };
  }
}

/** By where its name leads: a link in the worktree may point out of it. */
function isInside(cwd: string, path: string): boolean {
  const real = realPath(resolve(cwd, path));
  if (real === null || !existsSync(cwd)) return false;
  const way = relative(realpathSync(cwd), real);
  return (
    way !== '..' &&
    !way.startsWith(`..${sep}`) &&
    !isAbsolute(way) &&
    way.split(sep)[0]?.toLowerCase() !== '.git'
  );
}

/** Of a path that need not be there yet: its nearest folder that is. Null for a link that leads nowhere, and for no path. */
function realPath(path: string): string | null {
  if (path.includes('\0')) return null;
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return null;
    if (lstatSync(path, { throwIfNoEntry: false })) return null;
    const folder = dirname(path) === path ? null : realPath(dirname(path));
    return folder === null ? null : join(folder, basename(path));
  }
}
