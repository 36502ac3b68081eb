import { builtinModules } from 'node:module';

const builtins = new Set(builtinModules);
const longest = 4096;

export interface PackageSpecifier {
  /** With the scope: `@app/core`. */
  readonly name: string;
  /** The text after the name, without the slash; `''` for the package itself. */
  readonly subpath: string;
}

export function splitSpecifier(specifier: string): PackageSpecifier {
  const scope = specifier.startsWith('@') ? specifier.indexOf('/') + 1 : 0;
  const slash = specifier.indexOf('/', scope);
  if (slash < 0) return { name: specifier, subpath: '' };
  return { name: specifier.slice(0, slash), subpath: specifier.slice(slash + 1) };
}

/** Names npm accepts or once accepted; not `@/x`, `~/x` or `a b`. */
export function isPackageName(name: string): boolean {
  return /^(?:@[\w.~-]+\/)?[A-Za-z0-9_-][\w.~-]*$/.test(name);
}

/** The name of a builtin module, for `fs/promises` and `node:fs` alike. */
export function builtinName(specifier: string): string | undefined {
  if (specifier.startsWith('node:')) return specifier.split('/', 1)[0];
  return builtins.has(specifier) ? `node:${specifier.split('/', 1)[0]}` : undefined;
}

export function isRelative(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier);
}

/** `?raw` and `#icon` are for the bundler, not for the file system. A leading `#` is an entry of `imports`. */
export function withoutQuery(specifier: string): string {
  const cut = specifier.slice(1).search(/[?#]/);
  return cut < 0 ? specifier : specifier.slice(0, cut + 1);
}

/** Why the specifier cannot mean a file; undefined when it can be looked up. */
export function unusableReason(specifier: string): string | undefined {
  if (specifier === '') return 'the specifier is empty';
  if (specifier.length > longest) return `the specifier is longer than ${longest} characters`;
  if (specifier.includes('\0')) return 'the specifier holds a NUL character';
  if (specifier.includes('!')) return 'the specifier names loaders of a bundler';
  return undefined;
}

/** `https:`, `data:`, `virtual:`, `npm:`, `bun:`: a specifier with a scheme is never a file of the repository. */
export function schemeOf(specifier: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(specifier)?.[1]?.toLowerCase();
}
