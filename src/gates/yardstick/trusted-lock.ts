import { z } from 'zod';
import { isTrustedOfPnpm } from './pnpm-lock.ts';

/**
 * Whether a lock file takes each package from the place its name says, and those of base under the same name. A lock that
 * takes the test runner from another place, or another package under its name, would install another runner.
 */
export function isTrustedLock(path: string, base: string, work: string): boolean {
  const known = sourcesIn(base);
  if ([...sourcesIn(work)].some((source) => !known.has(source) && !publicRegistries.has(source)))
    return false;
  const kind = lockKinds.find(({ name }) => name.test(path));
  return kind?.isTrusted(base, work) ?? false;
}

/** Only the lock says what is installed, so a lock in an unreadable format stays as on base. */
const lockKinds: readonly { name: RegExp; isTrusted: (base: string, work: string) => boolean }[] = [
  { name: /(^|\/)(package-lock|npm-shrinkwrap)\.json$/, isTrusted: isTrustedOfNpm },
  { name: /(^|\/)pnpm-lock\.yaml$/, isTrusted: isTrustedOfPnpm },
  { name: /(^|\/)yarn\.lock$/, isTrusted: (_, work) => isTrustedOfYarn(work) },
  { name: /(^|\/)bun\.lock$/, isTrusted: (_, work) => isTrustedOfBun(work) },
];

const publicRegistries: ReadonlySet<string> = new Set([
  'https://registry.npmjs.org',
  'https://registry.yarnpkg.com',
]);

/** `https://registry.npmjs.org`, and `file`, `link`, `git` for packages from elsewhere. */
function sourcesIn(text: string): Set<string> {
  const found = text.matchAll(
    /\b(https?:\/\/[^/\s"'#]{1,200})|\b(file|portal|patch|git|github|tarball)(?:\+\w{1,10})?:/g,
  );
  return new Set([...found].map(([, origin, scheme]) => origin ?? scheme ?? ''));
}

const Locked = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  name: z.string().optional(),
  link: z.boolean().optional(),
});
const NpmLock = z.object({ packages: z.record(z.string(), Locked).default({}) });
type Locked = z.infer<typeof Locked>;

function isTrustedOfNpm(base: string, work: string): boolean {
  const [before, after] = [npmPackages(base), npmPackages(work)];
  if (before === null || after === null) return false;
  return Object.entries(after).every(([place, now]) => {
    const old = before[place];
    if (old !== undefined && (old.link !== now.link || old.name !== now.name)) return false;
    const isSame = old !== undefined && old.version === now.version;
    return isSame ? isUnchanged(old, now) : place === '' || !isForeign(place, now);
  });
}

function npmPackages(text: string): Readonly<Record<string, Locked>> | null {
  if (text === '') return {};
  try {
    return NpmLock.parse(JSON.parse(text)).packages;
  } catch {
    return null;
  }
}

function isUnchanged(old: Locked, now: Locked): boolean {
  return (['resolved', 'integrity'] as const).every((key) => old[key] === undefined || old[key] === now[key]);
}

/** The archive of another package. A registry has `@a/b` at `/@a/b/-/b-1.0.0.tgz`. */
function isForeign(place: string, { name, resolved, link }: Locked): boolean {
  if (resolved === undefined || link) return false;
  const own = name ?? place.replace(/^.*node_modules\//, '');
  return !resolved.includes(`/${own}/-/`);
}

/** `vitest@^1.0.0:` must have `resolved "https://…/vitest/-/vitest-1.0.0.tgz"` or `resolution: "vitest@npm:1.0.0"`. */
function isTrustedOfYarn(work: string): boolean {
  const entries = work.split(/\n{2,}/).map((entry) => ({
    name: /^(?:#[^\n]*\n)*"?(@?[^@\s"]+)@/.exec(entry)?.[1],
    isAlias: /^"?@?[^@\s"]+@npm:@?[a-z]/i.test(entry),
    resolved: /^ {2}resolved "([^"]+)"/m.exec(entry)?.[1],
    resolution: /^ {2}resolution: "([^"]+)"/m.exec(entry)?.[1],
  }));
  return entries.every(
    ({ name, isAlias, resolved, resolution }) =>
      isAlias ||
      ((resolved === undefined || resolved.includes(`/${name}/-/`)) &&
        (resolution === undefined || resolution.startsWith(`${name}@`))),
  );
}

/** `"vitest": ["vitest@1.0.0", …]`; the key `"a/b"` is the `b` that `a` depends on. */
function isTrustedOfBun(work: string): boolean {
  const entries = work.matchAll(/^\s{0,20}"([^"\n]{1,300})": \["(@?[^"@\n]{1,200})@/gm);
  return [...entries].every(([, key = '', name = '']) => key === name || key.endsWith(`/${name}`));
}
