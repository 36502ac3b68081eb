import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import type { AgentRequest } from '#agents/driver.ts';

type Request = Pick<AgentRequest, 'withheld' | 'cwd' | 'scratch' | 'env'>;

/** Where an agent works, its temp and cache folders, and programs it is given: open to it even within what is withheld. */
function openTo({ cwd, scratch, env }: Request): string[] {
  const named = [env.TMPDIR, env.XDG_CACHE_HOME].filter((path) => path !== undefined);
  return [cwd, scratch, ...named, ...(env.PATH ?? '').split(delimiter).filter((path) => path !== '')];
}

/** What is open to an agent within the folders that are withheld. */
export function openWithin(request: Request): string[] {
  return openTo(request).filter((path) => request.withheld?.some((folder) => isWithin(folder, path)));
}

/** Everything in the withheld folders but what is open: the fewest paths that cover it, as they are now. */
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
 * Whether a tool is pointed at something that is withheld: a path or a command, as the agent reports it. A relative path in a
 * command that goes elsewhere first is not followed, for it may well be a folder of the agent's own.
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
    // Who writes a file by a command writes comments, too.
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

// Begins a comment of many languages; as a pattern of a shell it is no more than the names in the root.
const opensComment = /^\/\*+\/?$/;

/** Whether a pattern of a shell can lead into a folder. */
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
