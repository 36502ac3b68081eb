interface Installed {
  readonly name: string;
  readonly version: string;
  /** A dependency of the project itself. */
  readonly isDirect: boolean;
}

/** Who is installed under which name, according to a pnpm lock file. */
interface PnpmLock {
  /** `vitest 5.0.0`, for every name in a list of dependencies. */
  readonly installed: readonly Installed[];
  /** Packages that are installed under their own names. */
  readonly packages: ReadonlySet<string>;
}

/**
 * Whether every name stands for the package of that name, or for what it stands for on base. Another name for a package is fine
 * (`string-width-cjs: string-width@4.2.3`), unless a package of base has that name.
 */
export function isTrustedOfPnpm(base: string, work: string): boolean {
  const [before, after] = [readPnpmLock(base), readPnpmLock(work)];
  if (before === null || after === null) return false;
  const known = new Set(before.installed.map(({ name, version }) => `${name} ${version}`));
  const taken = new Set([...before.packages, ...before.installed.map(({ name }) => name)]);
  return after.installed.every(
    ({ name, version, isDirect }) =>
      /^(\d|link:)/.test(version) ||
      known.has(`${name} ${version}`) ||
      (isPackage(version) && (nameIn(version) === name || (!isDirect && !taken.has(name)))),
  );
}

/** `string-width@4.2.3`: a file, an archive or a repository is not a version of a package. */
function isPackage(version: string): boolean {
  return /^\/?@?[\w.-]+(\/[\w.-]+)?[@/]\d/.test(version);
}

/** `/vitest@5.0.0(vite@6.0.0)`, `/vitest/5.0.0` and `vitest@5.0.0` → `vitest`. */
function nameIn(place: string): string {
  return /^\/?(@[^@/]+\/[^@/(]+|[^@/(]+)[@/]/.exec(place)?.[1] ?? '';
}

/** Sections that say what is installed. */
const counted = /^(importers|packages|snapshots|dependencies|devDependencies|optionalDependencies)$/;
const lists = /^(dependencies|devDependencies|optionalDependencies)$/;
const row = /^( *)(?:'([^']+)'|([^\s'"{[&*|>!#,%@`?-][^\s'"]*)):(?: (.*))?$/;

/** Null unless it has the form that pnpm writes: another form of YAML could hide something from this reader. */
function readPnpmLock(text: string): PnpmLock | null {
  const installed: Installed[] = [];
  const packages = new Set<string>();
  /** The keys above a line, by depth. */
  let path: string[] = [];
  /** Lines deeper than this belong to a text of several lines. */
  let textDepth = Number.POSITIVE_INFINITY;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (line === '' || line.startsWith('#') || depthOf(line) > textDepth) continue;
    textDepth = Number.POSITIVE_INFINITY;
    const isInList = path.some((each) => lists.test(each));
    if (/^ +- \S/.test(line) && !isInList) continue;
    if (line.startsWith(' ') && !counted.test(path[0] ?? '')) continue;
    const [, , quoted, plain, value = ''] = row.exec(line) ?? [];
    const key = quoted ?? plain;
    if (key === undefined || !Number.isInteger(depthOf(line)) || depthOf(line) > path.length) return null;
    path = [...path.slice(0, depthOf(line)), key];
    const [section = ''] = path;
    if (path.length === 1 && counted.test(section) && value !== '') return null;
    const isDirect = !/^(packages|snapshots)$/.test(section);
    if (!isDirect && path.length === 2) packages.add(nameIn(key));
    const at = path.findIndex((each) => lists.test(each));
    if (at < 0 && /^[|>]/.test(value)) textDepth = depthOf(line);
    if (at < 0) continue;
    // In one line, or as a reference to another place.
    if (/^[{[&*|>!"]/.test(value)) return null;
    const name = path[at + 1];
    const isVersion = path.length === at + 2 ? value !== '' : path.length === at + 3 && key === 'version';
    if (name !== undefined && isVersion)
      installed.push({ name, version: value.replace(/^'(.*)'$/, '$1'), isDirect });
  }
  return { installed, packages };
}

function depthOf(line: string): number {
  return (line.length - line.trimStart().length) / 2;
}
