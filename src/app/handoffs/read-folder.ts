import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { PipelineDocument, ReadBeside } from '#handoff/audit/check-records.ts';
import { UsageError } from '#schema/errors.ts';

/** A larger file is not an agent's report. */
const mostBytes = 16 * 1024 * 1024;

export interface PipelineFolder {
  /** Name of the feature: the folder's name. */
  readonly name: string;
  /** Real path. */
  readonly path: string;
  /** Root of relative paths in records: the project around `.claude/`, the top of the repository, or the folder itself. */
  readonly root: string;
  readonly documents: readonly PipelineDocument[];
  readonly readBeside: ReadBeside;
}

/** The Markdown files of a folder and a reader for what they cite. Writes nothing, follows no link out of the folder. */
export function readFolder(path: string, top: string | null): PipelineFolder {
  const root = rootAround(path, top);
  const shown = relative(root, path).split(sep).join('/');
  const names = readdirSync(path)
    .filter((name) => name.toLowerCase().endsWith('.md'))
    .toSorted();
  if (names.length === 0) throw nothingIn(path);
  const documents = names.flatMap((name) => {
    const file = join(path, name);
    if (!lstatSync(file).isFile()) return [];
    return [{ name, path: shown === '' ? name : `${shown}/${name}`, text: readText(file) }];
  });
  return { name: basename(path), path, root, documents, readBeside: besideOf(root) };
}

/** The folder a person named. */
export function realFolder(cwd: string, typed: string): string {
  try {
    const path = realpathSync(resolve(cwd, typed));
    if (statSync(path).isDirectory()) {
      readdirSync(path);
      return path;
    }
    throw notAFolder(`${typed} is a file, not a folder`);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw notAFolder(
      code === 'ENOENT' ? `there is no folder or run ${typed}` : `${typed} cannot be read: ${code}`,
      cause,
    );
  }
}

/** The user probably named the parent of several pipelines: the message lists them. */
function nothingIn(path: string): UsageError {
  const pipelines = join('.claude', 'pipeline');
  const folders = foldersIn(join(path, pipelines)).map((name) => join(pipelines, name));
  if (folders.length === 0) folders.push(...foldersIn(path).filter((name) => name !== '.git'));
  return new UsageError({
    code: 'nothing-to-audit',
    message: `${path} has no Markdown file`,
    hint:
      folders.length === 0
        ? 'name a folder of handoffs: joinery audit .claude/pipeline/<feature>'
        : `name one of its folders: ${folders.slice(0, 5).join(', ')}`,
  });
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((name) => statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory())
      .toSorted();
  } catch {
    return [];
  }
}

function notAFolder(message: string, cause?: unknown): UsageError {
  return new UsageError({
    code: 'unreadable-folder',
    message,
    hint: 'name a folder of handoffs: joinery audit .claude/pipeline/<feature>',
    cause,
  });
}

function rootAround(path: string, top: string | null): string {
  const marker = `${sep}.claude${sep}`;
  const at = `${path}${sep}`.lastIndexOf(marker);
  if (at > 0) return path.slice(0, at);
  return top !== null && isWithin(top, path) ? top : path;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

function readText(file: string): string {
  const { size } = statSync(file);
  if (size <= mostBytes) return readFileSync(file, 'utf8');
  throw new UsageError({
    code: 'too-large',
    message: `${file} has ${Math.round(size / 1024 / 1024)} MB: more than a report of an agent`,
    hint: 'move it out of the folder',
  });
}

/** Error codes for a path that cannot be read. */
const notThere = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP']);

/** Follows links as long as their targets are in the repository. */
function besideOf(root: string): ReadBeside {
  return (path) => {
    for (const form of new Set([path, path.normalize('NFD')])) {
      try {
        const file = realpathSync(join(root, form));
        if (!isWithin(root, file)) return 'outside';
        if (statSync(file).isFile()) return { text: readText(file) };
      } catch (error) {
        if (!notThere.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        if (leadsOut(root, form)) return 'outside';
      }
    }
    return 'missing';
  };
}

/** A dangling link may still point outside. */
function leadsOut(root: string, path: string): boolean {
  try {
    const folder = realpathSync(dirname(join(root, path)));
    const link = readlinkSync(join(folder, basename(path)));
    return !isWithin(root, folder) || !isWithin(root, resolve(folder, link));
  } catch {
    return false;
  }
}
