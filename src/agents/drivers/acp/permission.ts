import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { PermissionRequest } from './protocol.ts';

/** Kinds of tools that leave a folder unchanged. An unnamed kind could be anything. */
const harmless: ReadonlySet<string> = new Set(['read', 'search', 'think']);
/** The effects of these tools are not limited to the paths they name. Tools of MCP servers are `other`. */
const elsewhere: ReadonlySet<string> = new Set(['execute', 'fetch', 'other']);

type ToolCall = PermissionRequest['toolCall'];

export interface Ruling {
  readonly decision: 'allowed' | 'denied';
  readonly answer:
    | { readonly outcome: 'selected'; readonly optionId: string }
    | { readonly outcome: 'cancelled' };
}

/**
 * The answer to a permission request. The "plan" and "read-only" modes of agents only make them ask, so this answer is
 * what enforces them. Nothing is allowed permanently: that would be written into the user's settings.
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
  // Joinery decides the mode.
  if (kind === 'switch_mode') return false;
  if (harmless.has(kind) || elsewhere.has(kind)) return true;
  // Edits, deletions, moves, and unnamed kinds, which could be any of them.
  const paths = pathsOf(toolCall);
  return paths.length > 0 && paths.every((path) => isInside(cwd, path));
}

/** Paths a tool is about to touch: its stated locations, and the files of its diffs. */
function pathsOf({ locations, content }: ToolCall): string[] {
  return [...(locations ?? []), ...(content ?? [])].flatMap(({ path }) => path ?? []);
}

/** More tools than any agent runs at a time. For a forgotten one, only the request itself counts. */
const mostOpen = 1000;

/** Tools that were announced and have not ended: a request about one may omit what was announced. */
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

/** Resolves links: a link in the worktree may point outside. */
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

/** Real path of a file that may not exist yet: through its nearest existing folder. Null for dangling links and non-paths. */
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
