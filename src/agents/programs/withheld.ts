import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import type { AgentRequest } from '#agents/driver.ts';

type Request = Pick<AgentRequest, 'withheld' | 'cwd' | 'scratch' | 'env'>;

/** The agent's worktree, its temp and cache folders, and the programs it received: readable even inside withheld folders. */
function openTo({ cwd, scratch, env }: Request): string[] {
  const named = [env.TMPDIR, env.XDG_CACHE_HOME].filter((path) => path !== undefined);
  return [cwd, scratch, ...named, ...(env.PATH ?? '').split(delimiter).filter((path) => path !== '')];
}

/** Everything inside the withheld folders that is not readable: the fewest paths that cover it at this moment. */
export function aroundOpen(request: Request): string[] {
  const open = openTo(request);
  const around = (folder: string): string[] => {
    if (open.some((path) => isWithin(path, folder))) return [];
    if (!open.some((path) => isWithin(folder, path))) return [folder];
    return entriesOf(folder).flatMap((name) => around(join(folder, name)));
  };
  return (request.withheld ?? []).flatMap(around);
}

/**
 * Whether a tool's input, a path or a command as the agent reports it, points at withheld files. A relative path in a
 * command that changes the directory first is not followed: it may well be one of the agent's own folders.
 */
export function reachesWithheld(request: Request, detail: string): boolean {
  const { withheld = [], cwd } = request;
  if (withheld.length === 0) return false;
  const open = openTo(request);
  const isKept = (path: string) =>
    withheld.some((folder) => isWithin(folder, path)) && !open.some((folder) => isWithin(folder, path));
  const words = detail.split(/[\s'"`=:;|&<>()]+/);
  const goesElsewhere = /(^|[\s;&|(])(cd|pushd)\s|\s-C\s/.test(detail);
  return [detail, ...words].some((word) => {
    const pattern = /^\/[^*?[{]*(?=[*?[{])/.exec(word);
    // A command that writes a file may contain comments, such as `/**`.
    if (word !== detail && opensComment.test(word)) return false;
    if (pattern) {
      const isOwn = open.some((folder) => isWithin(folder, dirname(`${pattern[0]}x`)));
      return !isOwn && withheld.some((folder) => mayMatch(word, folder));
    }
    if (word.startsWith('/')) return isKept(resolve(word));
    if (goesElsewhere || !word.split('/').includes('..')) return false;
    const path = resolve(cwd, word);
    return isKept(path) && existsSync(path);
  });
}

// Starts a comment in many languages; as a shell pattern it only matches the names in the root folder.
const opensComment = /^\/\*+\/?$/;

/** Whether a shell pattern can match a path inside a folder. */
function mayMatch(pattern: string, folder: string): boolean {
  const parts = pattern.split('/').filter((part) => part !== '');
  const steps = folder.split(sep).filter((part) => part !== '');
  const fits = (part: string | undefined, step: string) =>
    part !== undefined && (/[[{]/.test(part) || partPattern(part).test(step));
  return (
    steps.every((step, index) => fits(parts[index], step)) || parts.slice(0, steps.length).includes('**')
  );
}

function partPattern(part: string): RegExp {
  const escaped = part.replace(/[.+^$()|\\\]}]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*+/g, '.*').replaceAll('?', '.')}$`);
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
