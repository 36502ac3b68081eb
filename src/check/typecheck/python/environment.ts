import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Looked } from '#check/cache/looked.ts';

/** How a Python program is started: the program itself, or an interpreter and its script. */
export interface Start {
  readonly command: string;
  readonly before: readonly string[];
}

/**
 * An interpreter loads what `.pth` files beside its packages name: `pip install -e .` writes one that leads into the checkout, whose files
 * belong to some branch. `sitecustomize.py` would run from there, and a checker would read files of the checkout instead of the requested
 * tree. So the same environment without those files is built from links.
 */
export class PythonEnvironments {
  readonly #roots: readonly string[];
  readonly #folder: string;
  readonly #looked: Pick<Looked, 'note'>;
  readonly #prefixes = new Map<string, string | null>();

  /** `roots`: the worktrees of the repository; `folder`: where environments may be created. */
  constructor(roots: readonly string[], folder: string, looked: Pick<Looked, 'note'>) {
    this.#roots = [...new Set(roots.flatMap((root) => [root, realpath(root)]))];
    this.#folder = folder;
    this.#looked = looked;
  }

  /** How to start a program of an environment; null when it cannot be started without files that lead into the checkout. */
  startOf(program: string): Start | null {
    const prefix = this.#prefixOf(program);
    if (prefix === null) return null;
    if (prefix === prefixOf(program)) return { command: program, before: [] };
    const [python, own] = ['python3', basename(program)].map((name) => join(prefix, binaries, name));
    return /^python/.test(basename(program))
      ? { command: own ?? '', before: [] }
      : { command: python ?? '', before: [own ?? ''] };
  }

  /** The path of the interpreter that may be passed to a checker. */
  interpreter(python: string): string | null {
    const start = this.startOf(python);
    return start === null ? null : start.command;
  }

  #prefixOf(program: string): string | null {
    const prefix = prefixOf(program);
    const known = this.#prefixes.get(prefix);
    if (known !== undefined) return known;
    const sites = sitesOf(prefix);
    for (const path of [join(prefix, 'pyvenv.cfg'), ...sites]) this.#looked.note(path);
    const found = sites.flatMap((site) => this.#leadingInside(site));
    const isOwn = existsSync(join(prefix, 'pyvenv.cfg'));
    const made = found.length === 0 ? prefix : isOwn ? this.#linkedWithout(prefix, new Set(found)) : null;
    this.#prefixes.set(prefix, made);
    return made;
  }

  #leadingInside(site: string): string[] {
    const names = listed(site).filter((name) => name.endsWith('.pth'));
    for (const name of names) this.#looked.note(join(site, name));
    return names.filter((name) => this.#leadsInside(site, join(site, name))).map((name) => join(site, name));
  }

  #leadsInside(site: string, file: string): boolean {
    return textOf(file)
      .split(/\r\n|\r|\n/)
      .some((line) => {
        const [, module] = /^import[ \t]+([\w.]{1,200})/.exec(line) ?? [];
        // Loaders of editable packages contain their folders as text.
        if (module !== undefined) return this.#mentions(textOf(join(site, `${module}.py`)) + line);
        return line.trim() !== '' && !line.startsWith('#') && this.#isInside(resolve(site, line.trim()));
      });
  }

  #mentions(text: string): boolean {
    return this.#roots.some((root) => text.includes(root));
  }

  #isInside(path: string): boolean {
    const ways = [path, realpath(path)];
    return this.#roots.some((root) => ways.some((way) => way === root || way.startsWith(root + sep)));
  }

  #linkedWithout(prefix: string, without: ReadonlySet<string>): string {
    const made = join(this.#folder, `python-environment-${this.#prefixes.size}`);
    linkAll(prefix, made, without);
    return made;
  }
}

const binaries = process.platform === 'win32' ? 'Scripts' : 'bin';

function prefixOf(program: string): string {
  return dirname(dirname(program));
}

/** Package folders of an environment. */
function sitesOf(prefix: string): string[] {
  const libraries = ['lib', 'lib64', 'Lib'].map((name) => join(prefix, name));
  const versions = libraries.flatMap((library) => [
    library,
    ...listed(library)
      .filter((name) => /^python\d/.test(name))
      .map((name) => join(library, name)),
  ]);
  return versions
    .flatMap((folder) => ['site-packages', 'dist-packages'].map((name) => join(folder, name)))
    .filter((folder) => existsSync(folder));
}

/** Creates the folders above what is left out; everything else is linked. */
function linkAll(from: string, to: string, without: ReadonlySet<string>): void {
  mkdirSync(to, { recursive: true });
  for (const name of listed(from)) {
    const source = join(from, name);
    if (without.has(source)) continue;
    const isOnTheWay = [...without].some((path) => path.startsWith(source + sep));
    if (isOnTheWay || name === binaries) linkAll(source, join(to, name), without);
    else symlinkSync(source, join(to, name));
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function realpath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
