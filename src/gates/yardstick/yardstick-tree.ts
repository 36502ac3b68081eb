import { posix } from 'node:path';
import { type GateInput, gatePart } from '#gates/definitions/inputs.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { filesWithWords } from '#git/trees/grep.ts';
import { type Change, diffTrees, GitTree } from '#git/trees/tree.ts';
import { writeChanged } from '#git/trees/write-tree.ts';
import { compileGlobs } from '#lib/glob.ts';
import {
  isCode,
  isFixture,
  isInTestFolder,
  isSnapshot,
  isTestCode,
  isTestFile,
} from '#tests/code/test-path.ts';
import { askedAs, hiddenBy, importedAs, isLoadedByName, shadowsLibrary } from './loaded-by-name.ts';
import { mergeManifest, packageName, packageNames } from './merge-manifest.ts';
import { isTrustedLock } from './trusted-lock.ts';

export interface YardstickSource {
  readonly scratch: Scratch;
  /** Tree ids. */
  readonly base: string;
  readonly work: string;
  readonly inputs: readonly GateInput[];
  /** Files whose change the task explicitly asks for: these are taken from the work. */
  readonly named: readonly string[];
  readonly pythonRoots: readonly string[];
}

export interface Yardstick {
  /** The tree of base, with the sources that the work changed. */
  readonly tree: string;
  /** Changed by the work, but taken from base. */
  readonly withheld: readonly string[];
  /** Tests and settings that the task names: taken from the work. */
  readonly contested: readonly string[];
  /** Packages that the work adds or upgrades. */
  readonly packages: readonly string[];
}

/**
 * The tree that work is measured on: nothing that decides how it is measured comes from the work, unless its task asks for
 * that very file.
 */
export async function yardstickTree(source: YardstickSource): Promise<Yardstick> {
  const { scratch, base, work } = source;
  const [changes = []] = await diffTrees(scratch.git, [[base, work]], { renames: false });
  const sides = withOverlaps(await sidesOf(source, changes));
  const objects = new ObjectReader(scratch.git);
  try {
    const manifests = await manifestsOf(source, changes, sides);
    const taken = changes.flatMap((change): Change[] => {
      const merged = manifests.merged.get(change.path);
      if (merged !== undefined && change.after)
        return [{ ...change, after: { ...change.after, id: scratch.own.add('blob', Buffer.from(merged)) } }];
      const isLock = scriptLock.test(change.path) && manifests.packages.length > 0;
      return isLock || sides.get(change.path) !== 'base' ? [change] : [];
    });
    const tree = await writeChanged({ scratch, objects }, base, taken);
    if (tree === null) throw new Error('a tree of the repository is missing');
    const isTaken = new Set(taken.map(({ path }) => path));
    return {
      tree,
      withheld: changes.flatMap(({ path }) => (isTaken.has(path) ? [] : [path])),
      contested: changes.flatMap(({ path }) => (sides.get(path) === 'contested' ? [path] : [])),
      packages: manifests.packages,
    };
  } finally {
    objects.close();
  }
}

type TakenFrom = 'base' | 'work' | 'contested';

const lockFile =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|poetry\.lock|uv\.lock|Cargo\.lock|go\.sum)$/;
/** Lock files that belong to a `package.json`. */
const scriptLock = /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;

async function sidesOf(source: YardstickSource, changes: readonly Change[]): Promise<Map<string, TakenFrom>> {
  const { scratch, base, inputs, named, pythonRoots } = source;
  const isNamed = new Set(named);
  const tree = await GitTree.read(scratch.git, base);
  const whole = inputs.filter(({ part, glob }) => part === 'whole' && glob !== '**/__init__.py');
  const isInput = compileGlobs(whole.map(({ glob }) => glob));
  const isUsed = compileGlobs(
    whole.filter(({ what }) => /^(used by a gate|installed tools)$/.test(what)).map(({ glob }) => glob),
  );
  const parts = inputs
    .filter(({ part }) => part !== 'whole')
    .map((each) => ({ ...each, matches: compileGlobs([each.glob]) }));
  const tests = tree.matching(isTestFile);
  const roots = [...pythonRoots, ...new Set(tests.map((path) => posix.dirname(path)))];
  const gone = new Set(changes.flatMap(({ path, after }) => (after === null ? [path] : [])));
  const hides = (path: string) =>
    hiddenBy(path).some((each) => tree.entry(each) !== undefined && !gone.has(each));
  const side = async ({ path, before }: Change): Promise<TakenFrom> => {
    const decides =
      isTestFile(path) ||
      isSnapshot(path) ||
      lockFile.test(path) ||
      isUsed(path) ||
      (isInput(path) && !isInNewFolder(path, tree)) ||
      isLoadedByName(path) ||
      (before === null &&
        ((hides(path) && (await isFoundFirst(source, path))) ||
          shadowsLibrary(path, roots) ||
          (await shadowsImported(source, path, roots)))) ||
      (await hasChangedPart(source, path, parts)) ||
      (await belongsToTests(source, path, before !== null));
    return !decides ? 'work' : isNamed.has(path) ? 'contested' : 'base';
  };
  return new Map(
    await Promise.all(changes.map(async (change) => [change.path, await side(change)] as const)),
  );
}

/** A link in place of a test folder would bring other tests: paths above or below a path of base also come from base. */
function withOverlaps(sides: ReadonlyMap<string, TakenFrom>): Map<string, TakenFrom> {
  const kept = [...sides].flatMap(([path, side]) => (side === 'base' ? [path] : []));
  const isKept = new Set(kept);
  const above = new Set(kept.flatMap(foldersAbove));
  return new Map(
    [...sides].map(([path, side]) => {
      const isOverlapping = above.has(path) || foldersAbove(path).some((folder) => isKept.has(folder));
      return [path, isOverlapping ? 'base' : side];
    }),
  );
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** Settings of a new package cannot affect existing ones; `.cargo/` is not a package. */
function isInNewFolder(path: string, base: GitTree): boolean {
  const folder = posix.dirname(path);
  return folder !== '.' && !base.isDirectory(folder) && !/(^|\/)\./.test(folder);
}

/** Whether something on base imports a name that the new file would match: not `data.ts` if all imports say `data.json`. */
async function isFoundFirst({ scratch, base }: YardstickSource, path: string): Promise<boolean> {
  const asked = askedAs(path);
  if (asked === null) return true;
  const holding = await filesWithWords(scratch.git, base, [posix.parse(path).name]);
  const texts = await readFilesAt(scratch.git, base, holding);
  return texts.values().some((text) => asked.test(text));
}

/** A new module where imports start, under a name that base imports: there it meant another module. */
async function shadowsImported(
  { scratch, base }: YardstickSource,
  path: string,
  roots: readonly string[],
): Promise<boolean> {
  const name = importedAs(path, roots);
  if (name === null) return false;
  return (await filesWithWords(scratch.git, base, [`import ${name}`, `from ${name}`])).length > 0;
}

/** Files of which only a part decides: they are taken from the work if that part is unchanged. */
async function hasChangedPart(
  { scratch, base, work }: YardstickSource,
  path: string,
  parts: readonly (GateInput & { readonly matches: (path: string) => boolean })[],
): Promise<boolean> {
  const part = parts.find(({ matches }) => matches(path))?.part;
  if (part === undefined) return false;
  if (part === 'package-settings' || part === 'whole') return true;
  const [before = '', after = ''] = await Promise.all(
    [base, work].map(async (tree) => (await readFilesAt(scratch.git, tree, [path])).get(path)),
  );
  return gatePart(part, before) !== gatePart(part, after);
}

/**
 * What tests work with: it is in a test folder and no source of base mentions it; or it is elsewhere, only tests of base
 * mention it, and it is data, is named like a helper or contains assertions (code under test may also be mentioned only by
 * tests). Base decides: the work could mention anything anywhere.
 */
async function belongsToTests(
  { scratch, base }: YardstickSource,
  path: string,
  isOnBase: boolean,
): Promise<boolean> {
  const isAmongTests = isInTestFolder(path) || isFixture(path) || isTestCode(path);
  if (!isOnBase) return isAmongTests;
  const users = (await filesWithWords(scratch.git, base, wordsFor(path))).filter((user) => user !== path);
  const code = users.filter((user) => isCode(user));
  if (code.some((user) => !isTestCode(user) && !isInTestFolder(user))) return false;
  if (isAmongTests) return true;
  if (code.length === 0) return false;
  const text = (await readFilesAt(scratch.git, base, [path])).get(path) ?? '';
  return !isCode(path) || helperName.test(path) || assertionLibrary.test(text);
}

const helperName =
  /(^|[/._-])(helpers?|harness|support|testing|test[-_]?(utils?|helpers?|support|kit|lib)|mocks?|stubs?|fakes?|factories)([/._-])/i;
const assertionLibrary =
  /["'](node:assert|assert|chai|expect|should|vitest|@jest\/|node:test|power-assert|@testing-library\/)|^\s{0,20}(import|from) (pytest|unittest|hypothesis)\b|^\s{0,40}assert\b/m;

/** How imports and file accesses name it: `helpers/check`, `./check`, `helpers.check`, `check.json`. */
function wordsFor(path: string): string[] {
  const { dir, name, base } = posix.parse(path);
  const folder = posix.basename(dir);
  const own = name === '__init__' || name === 'index' ? [folder] : [name];
  return own.flatMap((each) => [
    ...(folder === '' ? [] : [`${folder}/${each}`, `${folder}.${each}`]),
    `./${each}`,
    `import ${each}`,
    `from ${each}`,
    `from .${each}`,
    base,
  ]);
}

/** Packages and lock files of the work belong together: if a lock is not trusted, everything comes from base. */
async function areLocksTrusted(
  { scratch, base, work }: Pick<YardstickSource, 'scratch' | 'base' | 'work'>,
  changes: readonly Change[],
): Promise<boolean> {
  const paths = changes.map(({ path }) => path).filter((path) => scriptLock.test(path));
  const [before, after] = await Promise.all(
    [base, work].map((tree) => readFilesAt(scratch.git, tree, paths)),
  );
  return paths.every((path) => isTrustedLock(path, before?.get(path) ?? '', after?.get(path) ?? ''));
}

/** Manifests from base, with the packages of the work if it only adds or upgrades some. */
async function manifestsOf(
  { scratch, base, work }: YardstickSource,
  changes: readonly Change[],
  sides: ReadonlyMap<string, TakenFrom>,
): Promise<{ merged: ReadonlyMap<string, string>; packages: readonly string[] }> {
  const paths = changes
    .map(({ path }) => path)
    .filter((path) => /(^|\/)package\.json$/.test(path) && sides.get(path) === 'base');
  const [before, after] = await Promise.all(
    [base, work].map((tree) => readFilesAt(scratch.git, tree, paths)),
  );
  const merged = new Map<string, string>();
  const packages: string[] = [];
  if (!(await areLocksTrusted({ scratch, base, work }, changes))) return { merged, packages };
  const top = (await readFilesAt(scratch.git, base, ['package.json'])).get('package.json') ?? '';
  const tree = await GitTree.read(scratch.git, base);
  for (const path of paths) {
    const [old, now] = [before?.get(path), after?.get(path)];
    if (now === undefined) continue;
    // A new workspace package, unless it takes the name of one that base has installed. In a folder that base has
    // it would decide what the files there import.
    if (old === undefined) {
      const isForeign = packageNames(top).includes(packageName(now) ?? '');
      if (isInNewFolder(path, tree) && !isForeign) merged.set(path, now);
      continue;
    }
    const result = mergeManifest(old, now);
    if (result !== null && result.packages.length > 0) {
      merged.set(path, result.text);
      packages.push(...result.packages);
    }
  }
  return { merged, packages };
}
