import { realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { type DiskPlaces, InstalledPackages, normalisePath, packageFolder } from './installed-packages.ts';

/** `text` is null for files that no checker reads: they only exist. */
export interface VirtualEntry {
  readonly id: string;
  readonly kind: 'file' | 'symlink';
  readonly text: string | null;
}

interface Folder {
  readonly files: Set<string>;
  readonly directories: Set<string>;
}

const mostLinks = 40;

/**
 * A git tree in place of files on disk: mounted at the checkout's own path, so that packages are found in the
 * node_modules there. Inside the mount only the tree is visible; installed packages come from disk, and nothing
 * else is visible.
 */
export class VirtualFiles {
  readonly root: string;
  readonly disk: InstalledPackages;
  #entries: ReadonlyMap<string, VirtualEntry> = new Map();
  #folders = new Map<string, Folder>();
  #hasLinks = false;
  readonly #packages = new Map<string, string | null>();

  constructor(places: DiskPlaces) {
    this.root = places.root;
    this.disk = new InstalledPackages(places);
  }

  setTree(entries: ReadonlyMap<string, VirtualEntry>): void {
    this.#entries = entries;
    this.#folders = new Map([['', { files: new Set(), directories: new Set() }]]);
    this.#hasLinks = false;
    for (const [path, { kind }] of entries) {
      this.#folderOf(posix.dirname(path)).files.add(posix.basename(path));
      if (kind === 'symlink') this.#hasLinks = true;
    }
  }

  #folderOf(path: string): Folder {
    const key = path === '.' ? '' : path;
    const known = this.#folders.get(key);
    if (known) return known;
    const folder = { files: new Set<string>(), directories: new Set<string>() };
    this.#folders.set(key, folder);
    this.#folderOf(posix.dirname(key)).directories.add(posix.basename(key));
    return folder;
  }

  /** Content; null when there is no such file, undefined when it has to be read from disk. */
  read(path: string): string | null | undefined {
    const inside = this.inside(path);
    if (inside !== undefined) return this.#entries.get(inside)?.text ?? null;
    return this.disk.isReadable(path) ? undefined : null;
  }

  hasFile(path: string): boolean | undefined {
    const inside = this.inside(path);
    if (inside !== undefined) return this.#entries.get(inside)?.kind === 'file';
    return this.disk.holds(path) ? undefined : false;
  }

  hasFolder(path: string): boolean | undefined {
    const inside = this.inside(path);
    if (inside !== undefined) return this.#folders.has(inside);
    return this.disk.holds(path) ? undefined : false;
  }

  list(path: string): { files: string[]; directories: string[] } | undefined {
    const inside = this.inside(path);
    if (inside === undefined) return this.disk.holds(path) ? undefined : { files: [], directories: [] };
    const { files, directories } = this.#folders.get(inside) ?? { files: [], directories: [] };
    const names = { files: [] as string[], directories: [...directories] };
    for (const name of files) {
      const at = inside === '' ? name : `${inside}/${name}`;
      const isFolder = this.#entries.get(at)?.kind === 'symlink' && this.hasFolder(`${this.root}/${at}`);
      (isFolder ? names.directories : names.files).push(name);
    }
    return names;
  }

  realpath(path: string): string | undefined {
    const inside = this.inside(path);
    if (inside !== undefined) return this.absolute(inside);
    return this.disk.holds(path) ? undefined : path;
  }

  absolute(path: string): string {
    return path === '' ? this.root : `${this.root}/${path}`;
  }

  /** The path in the tree for an absolute path; undefined when it is outside. */
  inside(path: string): string | undefined {
    const own = this.#below(normalisePath(path));
    if (own === undefined) return undefined;
    const packages = packageFolder(own);
    if (packages === null || this.#entries.has(own) || this.#folders.has(own)) return this.#followLinks(own);
    const workspace = this.#workspaceOf(packages);
    return workspace === null ? undefined : this.#followLinks(workspace + own.slice(packages.length));
  }

  #below(path: string): string | undefined {
    if (path === this.root) return '';
    return path.startsWith(`${this.root}/`) ? path.slice(this.root.length + 1) : undefined;
  }

  /** A package that is a link into the checkout, as in workspaces: the tree's version counts. */
  #workspaceOf(folder: string): string | null {
    const known = this.#packages.get(folder);
    if (known !== undefined) return known;
    let target: string | null = null;
    try {
      target = this.#below(normalisePath(realpathSync(this.absolute(folder)))) ?? null;
    } catch {
      // Not installed.
    }
    const found = target === null || packageFolder(target) !== null ? null : target;
    this.#packages.set(folder, found);
    return found;
  }

  #followLinks(path: string): string | undefined {
    let current = path;
    for (let count = 0; this.#hasLinks && count < mostLinks; count++) {
      const link = this.#firstLink(current);
      if (link === null) return current;
      const target = this.#entries.get(link)?.text ?? '';
      if (posix.isAbsolute(target)) return undefined;
      const inside = this.#below(posix.join(this.root, posix.dirname(link), target));
      if (inside === undefined) return undefined;
      current = inside + current.slice(link.length);
    }
    return current;
  }

  #firstLink(path: string): string | null {
    for (let slash = path.indexOf('/'); ; slash = path.indexOf('/', slash + 1)) {
      const prefix = slash < 0 ? path : path.slice(0, slash);
      if (this.#entries.get(prefix)?.kind === 'symlink') return prefix;
      if (slash < 0) return null;
    }
  }
}
