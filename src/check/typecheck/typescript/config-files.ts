import { posix } from 'node:path';
import { reachable } from '#lib/graph.ts';
import { type ReducedConfig, reduceConfig } from './reduced-config.ts';
import type { VirtualFiles } from './virtual-files.ts';

const usualName = /(?:^|\/)[jt]sconfig(?:\.[^/]*)?\.json$/i;

/** Longer than any real chain of `extends`. */
const mostExtended = 200;

/** Config files as compilers see them: reduced to what they need, and without cycles. */
export class ConfigFiles {
  readonly #files: VirtualFiles;
  /** Config files with unusual names that some config file extends or refers to. */
  readonly #named = new Set<string>();
  readonly #reduced = new Map<string, { readonly of: string; readonly config: ReducedConfig }>();

  constructor(files: VirtualFiles) {
    this.#files = files;
  }

  isConfig(path: string): boolean {
    return usualName.test(path) || this.#named.has(posix.normalize(path));
  }

  /** The text that a compiler gets; null when there is no such file. */
  read(path: string): string | null {
    const config = this.#config(path);
    if (config === null) return null;
    return this.#isInCircle(path) ? config.withoutBase : config.text;
  }

  #config(path: string): ReducedConfig | null {
    const text = this.#text(path);
    if (text === null) return null;
    const known = this.#reduced.get(path);
    if (known?.of === text) return known.config;
    const config = reduceConfig(text);
    this.#reduced.set(path, { of: text, config });
    for (const name of this.#targets(path, config)) this.#named.add(name);
    return config;
  }

  #text(path: string): string | null {
    const text = this.#files.read(path);
    return text === undefined ? this.#files.disk.read(path) : text;
  }

  /** Compilers may not terminate when a config file extends itself through others. */
  #isInCircle(path: string): boolean {
    const bases = reachable([path], (each) => this.#bases(each), mostExtended);
    return bases.has(path) || bases.size > mostExtended;
  }

  #bases(path: string): string[] {
    const extended = this.#config(path)?.extended ?? [];
    return extended.flatMap((name) => {
      const found = candidates(path, name, this.#files.root).find((each) => this.#text(each) !== null);
      return found === undefined ? [] : [this.#files.realpath(found) ?? found];
    });
  }

  #targets(path: string, { extended, referenced }: ReducedConfig): string[] {
    const { root } = this.#files;
    return [
      ...extended.flatMap((name) => candidates(path, name, root)),
      ...referenced.map((name) => posix.resolve(posix.dirname(path), name)),
    ].flatMap((each) => [each, this.#files.realpath(each) ?? each]);
  }
}

/** Where a compiler looks for what a config file extends: `./base`, `@team/base/strict.json`. */
function candidates(config: string, name: string, root: string): string[] {
  const isPath = /^\.{0,2}\//.test(name) || name === '.' || name === '..';
  const places: string[] = [];
  for (let dir = posix.dirname(config); ; dir = posix.dirname(dir)) {
    const at = posix.resolve(dir, isPath ? name : `node_modules/${name}`);
    places.push(at, `${at}.json`, ...(isPath ? [] : [`${at}/tsconfig.json`]));
    if (isPath || dir === root || posix.dirname(dir) === dir) return places;
  }
}
