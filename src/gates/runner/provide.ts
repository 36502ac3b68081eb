import { constants, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { copyFile, glob, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import { Git } from '#git/call/git.ts';
import { asObject } from '#lib/json-value.ts';
import { parseJson } from '#lib/parse-json.ts';
import { lend } from '#process/box.ts';
import type { Provisioning } from '#schema/provisioning.ts';
import { provideFolder, runInstall } from './dependencies.ts';

/** Dependencies that a tool installs into a folder that git ignores. */
interface DependencyFolder {
  readonly name: RegExp;
  /** Beside the folder; one of them has to be there. */
  readonly manifests: readonly string[];
  /** Beside it, or in a folder above. */
  readonly locks: readonly string[];
  /** Installs what a changed lock file asks for, from caches alone; by lock file. */
  readonly offline?: Readonly<Record<string, readonly string[]>>;
  /** Only as a copy on write: a plain copy takes longer than a build. */
  readonly isSeed?: true;
}

const dependencyFolders: readonly DependencyFolder[] = [
  {
    name: /^node_modules$/,
    manifests: ['package.json'],
    locks: [
      'package-lock.json',
      'npm-shrinkwrap.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'bun.lock',
      'bun.lockb',
    ],
    offline: {
      'package-lock.json': ['npm', 'ci', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'],
      'npm-shrinkwrap.json': ['npm', 'ci', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'],
      'pnpm-lock.yaml': ['pnpm', 'install', '--offline', '--frozen-lockfile', '--ignore-scripts'],
      'yarn.lock': ['yarn', 'install', '--offline', '--frozen-lockfile', '--ignore-scripts'],
    },
  },
  {
    name: /^\.?venv$/,
    manifests: [
      'pyproject.toml',
      'setup.py',
      'setup.cfg',
      'requirements.txt',
      'requirements-dev.txt',
      'Pipfile',
    ],
    locks: ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock'],
  },
  {
    name: /^vendor$/,
    manifests: ['composer.json', 'Gemfile', 'go.mod'],
    locks: ['composer.lock', 'Gemfile.lock', 'go.sum'],
  },
  { name: /^bundle$/, manifests: ['Gemfile', '../Gemfile'], locks: ['Gemfile.lock'] },
  { name: /^target$/, manifests: ['Cargo.toml'], locks: ['Cargo.lock'], isSeed: true },
];

function kindOf(folder: string): DependencyFolder | undefined {
  return dependencyFolders.find(({ name }) => name.test(posix.basename(folder)));
}

/** The ignored dependency folders of a checkout, as paths in it; those inside others are part of them. */
export async function dependencyFoldersIn(checkout: string): Promise<string[]> {
  const { stdout, code } = await new Git({ cwd: checkout }).run(
    ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
    { accept: [0, 1, 128] },
  );
  if (code !== 0) return [];
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((path) => path.endsWith('/'))
    .map((path) => path.slice(0, -1))
    .filter((path) => kindOf(path) !== undefined);
}

export interface ProvidedTree {
  /** Folders that were put there. */
  readonly folders: readonly string[];
  /** What the tree asks for and does not have, in one line each. */
  readonly lacking: readonly string[];
}

/**
 * Makes a tree runnable where its checkout is: each dependency folder whose manifest and lock file are the same in the tree is provided;
 * where they differ, the packages are installed from caches alone, or it is said that they are not.
 */
export async function provideTree(
  { mode }: Provisioning,
  checkout: string,
  folders: readonly string[],
  tree: string,
  env: Readonly<Record<string, string>>,
): Promise<ProvidedTree> {
  const provided: string[] = [];
  const lacking: string[] = [];
  /** By folder of a lock file: why its packages could not be installed; null: they were. */
  const installs = new Map<string, string | null>();
  for (const folder of folders) {
    const [from, to] = [join(checkout, folder), join(tree, folder)];
    const kind = kindOf(folder);
    if (kind === undefined || !existsSync(from) || existsSync(to) || !existsSync(dirname(to))) continue;
    const changed = changedInputs(kind, checkout, tree, folder);
    if (changed.length > 0) {
      const at = lockFolder(kind, tree, folder);
      const failed = installs.has(at)
        ? (installs.get(at) ?? null)
        : await installOffline(kind, join(tree, at), env);
      installs.set(at, failed);
      if (failed === null) {
        if (existsSync(to)) provided.push(folder);
        continue;
      }
      lacking.push(`${changed.join(' and ')} changed and ${failed}: ${folder} is the one of the checkout`);
    }
    if (kind.isSeed && !(await clonesOnWrite(from, tree))) continue;
    const isEnvironment = /venv$/.test(folder);
    await provideFolder(isEnvironment && /link$/.test(mode) && mode !== 'reflink' ? 'auto' : mode, from, to);
    if (isEnvironment) {
      await relocate(to, checkout, tree);
      lendInterpreter(to, tree);
    }
    provided.push(folder);
  }
  return { folders: provided, lacking };
}

/** What decides which packages a folder holds: the same text, the same packages. */
export function inputsOf(root: string, folders: readonly string[]): string {
  return JSON.stringify(
    folders.map((folder) => {
      const kind = kindOf(folder);
      return kind === undefined ? [] : [...inputs(kind, root, folder)];
    }),
  );
}

function changedInputs(kind: DependencyFolder, checkout: string, tree: string, folder: string): string[] {
  const before = inputs(kind, checkout, folder);
  const after = inputs(kind, tree, folder);
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

function inputs({ manifests, locks }: DependencyFolder, root: string, folder: string): Map<string, string> {
  const beside = posix.dirname(folder);
  const above = foldersUp(beside).flatMap((each) => locks.map((name) => posix.join(each, name)));
  const paths = [...manifests.map((name) => posix.join(beside, name)), ...above];
  return new Map(
    paths.flatMap((path) => {
      const text = textOf(join(root, path));
      return text === null
        ? []
        : [[path, basename(path) === 'package.json' ? packagesIn(text) : text] as const];
    }),
  );
}

/** A new script or version changes no package. */
function packagesIn(manifest: string): string {
  const fields = asObject(parseJson(manifest));
  const wanted =
    /^(dependencies|(dev|peer|optional|bundle)Dependencies|overrides|resolutions|pnpm|workspaces)$/;
  return JSON.stringify(Object.entries(fields).filter(([name]) => wanted.test(name)));
}

/** `packages/a`, `packages`, `.`. */
function foldersUp(folder: string): string[] {
  return folder === '.' ? ['.'] : [folder, ...foldersUp(posix.dirname(folder))];
}

/** The nearest folder with a lock file: an install there serves every package below it. */
function lockFolder({ locks }: DependencyFolder, tree: string, folder: string): string {
  const beside = posix.dirname(folder);
  const isThere = (each: string) => locks.some((name) => existsSync(join(tree, each, name)));
  return foldersUp(beside).find(isThere) ?? beside;
}

/** Null: installed. Else why not. */
async function installOffline(
  { offline = {} }: DependencyFolder,
  at: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const lock = Object.keys(offline).find((name) => existsSync(join(at, name)));
  const argv = lock === undefined ? undefined : offline[lock];
  if (argv === undefined) return 'nothing installs it offline';
  try {
    await runInstall(argv, at, env);
    return null;
  } catch {
    await rm(join(at, 'node_modules'), { recursive: true, force: true });
    return `'${argv.join(' ')}' failed`;
  }
}

async function clonesOnWrite(from: string, to: string): Promise<boolean> {
  const file = (await readdir(from, { withFileTypes: true })).find((entry) => entry.isFile());
  const probe = join(to, '.joinery-probe');
  if (file === undefined) return false;
  const cloned = await copyFile(join(from, file.name), probe, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );
  await rm(probe, { force: true });
  return cloned;
}

/** A virtual environment names its place in scripts and in links to the project: those must be of the tree, not of the checkout. */
async function relocate(environment: string, checkout: string, tree: string): Promise<void> {
  const named = ['bin/*', 'lib/python*/site-packages/*.pth', 'lib/python*/site-packages/__editable__*'];
  for await (const entry of glob(named, { cwd: environment, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    const text = readFileSync(file);
    if (text.includes(0) || !text.includes(checkout)) continue;
    writeFileSync(file, text.toString('utf8').replaceAll(checkout, tree));
  }
}

/** A virtual environment starts an interpreter that may be anywhere. */
function lendInterpreter(environment: string, tree: string): void {
  const program = join(environment, 'bin', 'python3');
  if (existsSync(program)) lend(tree, dirname(dirname(realpathSync(program))));
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
