import { parseJson } from '#lib/parse-json.ts';

/** The package.json to judge by: that of base, with the packages that the work adds or upgrades. */
export interface MergedManifest {
  readonly text: string;
  /** `left-pad`, `vite 6.0.0 → 6.1.0`. */
  readonly packages: readonly string[];
}

const sections = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

type Manifest = Readonly<Record<string, unknown>>;

/** Null if the work changes its packages in another way, or one of the two is not a manifest: then base counts. */
export function mergeManifest(base: string, work: string): MergedManifest | null {
  const [old, now] = [parsed(base), parsed(work)];
  if (old === null || now === null) return null;
  const packages: string[] = [];
  for (const section of sections) {
    const [before, after] = [packagesIn(old, section), packagesIn(now, section)];
    for (const [name, version] of before) if (!isRaised(version, after.get(name))) return null;
    for (const [name, version] of after) {
      const earlier = before.get(name);
      if (earlier === version) continue;
      // A folder, an archive or another package under this name is not a version.
      if (numbersOf(version) === null) return null;
      packages.push(earlier === undefined ? name : `${name} ${earlier} → ${version}`);
    }
  }
  if (packages.length === 0) return { text: base, packages };
  const taken = Object.fromEntries(sections.flatMap((key) => (key in now ? [[key, now[key]]] : [])));
  return { text: `${JSON.stringify({ ...old, ...taken }, null, 2)}\n`, packages };
}

export function packageNames(text: string): string[] {
  const manifest = parsed(text);
  return manifest === null ? [] : sections.flatMap((section) => [...packagesIn(manifest, section).keys()]);
}

export function packageName(text: string): string | null {
  const name = parsed(text)?.name;
  return typeof name === 'string' ? name : null;
}

function parsed(text: string): Manifest | null {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Manifest) : null;
}

function packagesIn(manifest: Manifest, section: string): Map<string, string> {
  const found = manifest[section];
  const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [];
  return new Map(entries.map(([name, version]) => [name, String(version)]));
}

function isRaised(before: string, after: string | undefined): boolean {
  if (after === before) return true;
  const [old, now] = [numbersOf(before), numbersOf(after ?? '')];
  if (old === null || now === null) return false;
  const at = [0, 1, 2].find((index) => (old[index] ?? 0) !== (now[index] ?? 0));
  return at === undefined || (now[at] ?? 0) > (old[at] ?? 0);
}

/** Numbers of a version or a plain range; null for anything else. */
function numbersOf(version: string): number[] | null {
  const [, found] = /^(?:[~^]|>=)?\s?(\d{1,9}(?:\.\d{1,9}){0,2})(?:-[\w.]{1,60})?$/.exec(version) ?? [];
  return found === undefined ? null : found.split('.').map(Number);
}
