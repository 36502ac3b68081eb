import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { posix } from 'node:path';

/** The folders on disk that a checker may read besides the tree. */
export interface DiskPlaces {
  /** Where the tree is mounted, with forward slashes and none at the end. */
  readonly root: string;
  /**
   * `node_modules` folders below the root without files of the repository: links in them are the user's, and are followed wherever they
   * lead.
   */
  readonly packages: readonly string[];
  /** Folders of the compiler itself. */
  readonly own: readonly string[];
}

/** Longer than any declaration file that people publish. */
const mostFileBytes = 32 * 1024 * 1024;

/**
 * The part of the disk that a checker may see: packages in node_modules below the root, and the compiler's own files. Everything else does
 * not exist, whatever the settings or imports of a branch name. Unreadable files count as absent: checkers probe many paths.
 */
export class InstalledPackages {
  readonly #root: string;
  readonly #free: ReadonlySet<string>;
  /** Targets of the user's links, and folders of the compiler. */
  readonly #elsewhere: Set<string>;
  readonly #followed = new Set<string>();

  constructor({ root, packages, own }: DiskPlaces) {
    this.#root = root;
    this.#free = new Set(packages.map((folder) => `${root}/${folder}`));
    this.#elsewhere = new Set(
      own.flatMap((folder) => [slashed(folder), realpath(folder) ?? slashed(folder)]),
    );
  }

  holds(path: string): boolean {
    return this.#holds(normalisePath(path));
  }

  #holds(path: string): boolean {
    if (!isAtOrBelow(this.#elsewhere, path)) {
      const modules = path.startsWith(`${this.#root}/`) ? outermostModules(path, this.#root.length) : null;
      if (modules === null) return false;
      if (!this.#free.has(modules)) return this.#isReallyInside(path);
    }
    this.#follow(path);
    return true;
  }

  /** Where the repository could contain a link, only files in node_modules below the root count. */
  #isReallyInside(path: string): boolean {
    const real = realpath(path) ?? '';
    return real.startsWith(`${this.#root}/`) && outermostModules(real, this.#root.length) !== null;
  }

  /** A package that is the user's link: compilers continue from its target. */
  #follow(path: string): void {
    const folder = packageFolder(path);
    if (folder === null || this.#followed.has(folder)) return;
    this.#followed.add(folder);
    const real = realpath(folder);
    if (real === null || real === folder || real.startsWith(`${this.#root}/`)) return;
    // Together with its neighbours: packages of a store find each other there.
    const beside = `${real}/`.lastIndexOf('/node_modules/');
    this.#elsewhere.add(beside < 0 ? real : real.slice(0, beside + '/node_modules'.length));
  }

  read(path: string): string | null {
    const at = normalisePath(path);
    return this.isReadable(at) ? attempt(() => readFileSync(at, 'utf8')) : null;
  }

  /** A file of readable size; not a device or a pipe. */
  isReadable(path: string): boolean {
    const stat = this.#stat(path);
    return stat?.isFile() === true && stat.size <= mostFileBytes;
  }

  hasFile(path: string): boolean {
    return this.#stat(path)?.isFile() === true;
  }

  hasFolder(path: string): boolean {
    return this.#stat(path)?.isDirectory() === true;
  }

  #stat(path: string): Stats | null {
    const at = normalisePath(path);
    return this.#holds(at) ? attempt(() => statSync(at)) : null;
  }

  realpath(path: string): string {
    const at = normalisePath(path);
    return (this.#holds(at) ? realpath(at) : null) ?? path;
  }

  list(path: string): { files: string[]; directories: string[] } {
    const at = normalisePath(path);
    const names = (this.#holds(at) ? attempt(() => readdirSync(at)) : null) ?? [];
    const directories = names.filter((name) => this.hasFolder(`${at}/${name}`));
    return { files: names.filter((name) => !directories.includes(name)), directories };
  }
}

/** `/root/a/node_modules` for `/root/a/node_modules/b/node_modules/c`. */
function outermostModules(path: string, from: number): string | null {
  const at = `${path}/`.indexOf('/node_modules/', from);
  return at < 0 ? null : path.slice(0, at + '/node_modules'.length);
}

/** `a/node_modules/@scope/name` for a path below it; null outside node_modules. */
export function packageFolder(path: string): string | null {
  const at = `${path}/`.lastIndexOf('/node_modules/');
  const start = at >= 0 ? at + 1 : path.startsWith('node_modules/') || path === 'node_modules' ? 0 : -1;
  if (start < 0) return null;
  const below = path.slice(start + 'node_modules/'.length).split('/');
  const [first = '', second] = below;
  const name = first.startsWith('@') && second ? `${first}/${second}` : first.startsWith('@') ? '' : first;
  const modules = path.slice(0, start + 'node_modules'.length);
  return name === '' ? modules : `${modules}/${name}`;
}

function isAtOrBelow(folders: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (folders.has(path.slice(0, end))) return true;
  return false;
}

function realpath(path: string): string | null {
  return attempt(() => slashed(realpathSync.native(path)));
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

/** Checkers ask for folders with a trailing slash, on Windows with backslashes, and sometimes with dots. */
export function normalisePath(path: string): string {
  const plain = slashed(path);
  const normal = plain.includes('/.') || plain.includes('//') ? posix.normalize(plain) : plain;
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
