import { posix } from 'node:path';
import { isCode } from '#code/languages/index.ts';
import { isLockFile } from '#code/languages/lock-files.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { escapePattern } from '#lib/escape-pattern.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey, SurveyedBranch } from './survey/survey.ts';
import { unnamedFeatures } from './wiring/feature-folders.ts';
import { linesAround } from './wiring/lines-around.ts';

export const missingConnection = {
  id: 'K01b',
  name: 'missing-connection',
  category: 'connection',
  severity: 'minor',
  single: true,
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.7,
  alarms: { merges: 1075, with: 1 },
  measured: { findings: 34, real: 34 },
  what: 'A branch adds a file to a folder whose files are all named in one place (an index, `__init__.py`, a list of routes, plugins, commands or apps, the entry points of a manifest), or a folder beside others whose files of that name are (`src/orders/orders.module.ts`), and neither that place nor any other code names the new one, not even with all branches together. The pattern is learned from the files beside it.',
  example: { a: ['+ src/commands/export.ts'], b: ['  src/commands/index.ts imports all others'] },
  move: 'Register it where its neighbours are registered.',
  proof: ['likely'],
  owner: 'consumer',
  detect: { survey: unconnected },
} satisfies Rule;

const fewestSiblings = 3;
const mostSiblings = 12;
const mostCandidates = 20;
/** Some apps of a project may be for tests or tools. */
const mostListed = 0.8;
const manifests = ['pyproject.toml', 'setup.cfg', 'package.json'];

interface NewFile {
  readonly side: SurveyedBranch;
  readonly path: string;
  readonly registry: string;
}

async function unconnected(survey: Survey): Promise<Sighting[]> {
  const files = await withRegistry(survey);
  const unnamed = [
    ...(await withValues(survey, await withoutMention(survey, files))),
    ...(await unlistedApps(survey)),
    ...(await unnamedFeatures(survey)),
  ];
  return unnamed.map(({ side, path, registry }) => ({
    key: path,
    provider: { side, file: registry, line: 1, name: '' },
    sites: [{ side, file: path, line: 1, name: stemOf(path) }],
    subject: path,
    confidence: 'likely',
    message: `${side.ref} adds ${path}, and nothing names it; ${isApp(path) ? 'the apps' : 'the files'} next to it are named in ${registry}`,
    suggestion: `add ${isApp(path) ? posix.basename(posix.dirname(path)) : stemOf(path)} to ${registry}`,
  }));
}

/** New files whose neighbours are all named in one file. */
async function withRegistry(survey: Survey): Promise<NewFile[]> {
  const files: NewFile[] = [];
  const registries = new Map<string, Promise<string | null>>();
  for (const side of survey.sides) {
    if (side.isBase) continue;
    for (const { path, status } of side.changes) {
      if (status !== 'added' || !isPlain(path)) continue;
      const form = `${posix.dirname(path)} ${posix.extname(path)}`;
      const known = registries.get(form) ?? registryOf(survey, path);
      registries.set(form, known);
      const registry = await known;
      if (registry !== null) files.push({ side, path, registry });
    }
  }
  return files;
}

function isPlain(path: string): boolean {
  return (
    isCode(path) &&
    !isTestCode(path) &&
    !isFixture(path) &&
    path.includes('/') &&
    !/\.d\.[cm]?ts$|\.(config|stories|bench)\.\w+$|(^|\/)(index|__init__|__main__|main|conftest|setup)\.\w+$/.test(
      path,
    )
  );
}

/** The file that names all neighbours of a new file. */
async function registryOf(survey: Survey, path: string): Promise<string | null> {
  const [folder, ending] = [posix.dirname(path), posix.extname(path)];
  const near = [folder, posix.dirname(folder)].map((each) => (each === '.' ? '' : `${each}/`));
  const all = survey.from.matching((other) => near.includes(other.slice(0, other.lastIndexOf('/') + 1)));
  const siblings = all.filter(
    (other) => posix.dirname(other) === folder && other.endsWith(ending) && isPlain(other),
  );
  if (siblings.length < fewestSiblings) return null;
  const asked = siblings.slice(0, mostSiblings);
  const candidates = all
    .filter((other) => isCode(other) && !isTestCode(other) && !siblings.includes(other))
    .sort((a, b) => Number(b.startsWith(`${folder}/`)) - Number(a.startsWith(`${folder}/`)));
  for (const candidate of [...candidates.slice(0, mostCandidates), ...manifestsAbove(survey, folder)]) {
    const text = await survey.read(survey.from, candidate);
    if (text !== null && asked.every((sibling) => names(text, stemOf(sibling))))
      return findsByItself.test(text) ? null : candidate;
  }
  return null;
}

/** A registry that lists a folder finds new files itself. */
const findsByItself =
  /\b(?:readdir(?:Sync)?|glob(?:Sync)?|fast-glob|require\.context|import\.meta\.glob|iter_modules|walk_packages|listdir|scandir|iterdir|autoload|fastifyAutoload)\b/;

/** A module of types alone has nothing to register, and a script is started by people. */
async function withValues(survey: Survey, files: readonly NewFile[]): Promise<NewFile[]> {
  const kept: NewFile[] = [];
  for (const file of files) {
    const text = (await survey.read(file.side.tree, file.path)) ?? '';
    const hasValues =
      !/\.[cm]?tsx?$/.test(file.path) || /^export\s+(?!type\b|interface\b|declare\b)/m.test(text);
    if (hasValues && !/^#!|^if __name__ == /m.test(text)) kept.push(file);
  }
  return kept;
}

/** Files that a Django app has, one or the other: `shop/orders/apps.py`. */
function isApp(path: string): boolean {
  return /(^|\/)(apps|models)\.py$/.test(path);
}

/** New Django apps that are missing in a list of installed apps which names their neighbours. */
async function unlistedApps(survey: Survey): Promise<NewFile[]> {
  const added = survey.sides.flatMap((side) => {
    const paths = side.isBase
      ? []
      : side.changes.flatMap(({ path, status }) => (status === 'added' && isApp(path) ? [path] : []));
    const isNew = (path: string) => !survey.from.isDirectory(posix.dirname(path));
    const byFolder = new Map(paths.filter(isNew).map((path) => [posix.dirname(path), path]));
    return [...byFolder.values()].map((path) => ({ side, path }));
  });
  if (added.length === 0) return [];
  const lists = (await survey.holding(survey.from, ['INSTALLED_APPS'])).filter(
    (path) => path.endsWith('.py') && !isTestCode(path),
  );
  const unlisted: NewFile[] = [];
  for (const { side, path } of added) {
    const parent = posix.dirname(posix.dirname(path));
    const marks = survey.from.matching(
      (other) => isApp(other) && posix.dirname(posix.dirname(other)) === parent,
    );
    const registry = await listOf(survey, lists, [...new Set(marks.map((mark) => posix.dirname(mark)))]);
    if (registry === null) continue;
    const trees = [side.tree, ...(survey.union ? [survey.union] : [])];
    const texts = await Promise.all(trees.flatMap((tree) => lists.map((list) => survey.read(tree, list))));
    if (!texts.some((text) => text !== null && listsApp(text, posix.dirname(path))))
      unlisted.push({ side, path, registry });
  }
  return unlisted;
}

/** The list that names most of these apps. */
async function listOf(
  survey: Survey,
  lists: readonly string[],
  apps: readonly string[],
): Promise<string | null> {
  if (apps.length < fewestSiblings) return null;
  for (const list of lists) {
    const text = (await survey.read(survey.from, list)) ?? '';
    if (apps.filter((app) => listsApp(text, app)).length >= apps.length * mostListed) return list;
  }
  return null;
}

/** `"shop.orders"`, `"orders"` or `"shop.orders.apps.OrdersConfig"` for `shop/orders`. */
function listsApp(text: string, folder: string): boolean {
  const word = escapePattern(posix.basename(folder));
  return new RegExp(`["'](?:[\\w.]+\\.)?${word}(?:\\.apps\\.\\w+)?["']`).test(text);
}

/** Manifests name plugins and commands by their module: `mail = "shop.plugins.mail:load"`. */
function manifestsAbove(survey: Survey, folder: string): string[] {
  const above = folder.split('/').map((_, at, parts) => parts.slice(0, parts.length - 1 - at).join('/'));
  return above
    .flatMap((each) => manifests.map((name) => posix.join(each, name)))
    .filter((path) => survey.from.blob(path) !== undefined);
}

function stemOf(path: string): string {
  return posix.basename(path).replace(/\.\w+$/, '');
}

/** In an import, a path or a quoted name. */
function asModule(stem: string): RegExp {
  const word = escapePattern(stem);
  return new RegExp(
    `["'./]${word}(?:\\.\\w+)?["'./:]|\\bimport\\b[^\\n]{0,500}\\b${word}\\b|from\\s+\\.?[\\w.]*\\b${word}\\s+import`,
  );
}

/** As a module. */
function names(text: string, stem: string): boolean {
  const form = asModule(stem);
  return linesAround(text, stem).some((lines) => form.test(lines));
}

/** Those of the files that neither their registry nor any other code names, in the union or on their side. */
async function withoutMention(survey: Survey, files: readonly NewFile[]): Promise<NewFile[]> {
  const { union } = survey;
  const left = union ? await unnamedIn(survey, union, files) : files;
  const bySide = Map.groupBy(left, ({ side }) => side);
  const unnamed = await Promise.all([...bySide].map(([side, own]) => unnamedIn(survey, side.tree, own)));
  return unnamed.flat();
}

async function unnamedIn(survey: Survey, tree: GitTree, files: readonly NewFile[]): Promise<NewFile[]> {
  const left: NewFile[] = [];
  for (const file of files) {
    const text = await survey.read(tree, file.registry);
    if (text !== null && !names(text, stemOf(file.path))) left.push(file);
  }
  const holders = await survey.holders(
    tree,
    left.map(({ path }) => stemOf(path)),
  );
  const unnamed: NewFile[] = [];
  for (const file of left) {
    const found = holders.get(stemOf(file.path)) ?? [];
    if (!(await isNamedIn(survey, tree, file.path, [...found]))) unnamed.push(file);
  }
  return unnamed;
}

/** Whether one of these files names the module, not something else with the same word. */
async function isNamedIn(
  survey: Survey,
  tree: GitTree,
  path: string,
  files: readonly string[],
): Promise<boolean> {
  const [folder, stem] = [posix.dirname(path), stemOf(path)];
  for (const other of files) {
    if (other === path || isTestCode(other) || isProse(other)) continue;
    const text = await survey.read(tree, other);
    if (!isCode(other)) {
      if (text !== null && isStartedBy(text, stem)) return true;
      continue;
    }
    // A file elsewhere that means the module says where it is; a word that is in many files means nothing.
    const isNear = posix.dirname(other) === folder || (text ?? '').includes(posix.basename(folder));
    if (text === null || (isNear && mentions(text, stem))) return true;
  }
  return false;
}

function isProse(path: string): boolean {
  return /\.(md|mdx|rst|txt|adoc|svg|map|snap)$/.test(path) || isLockFile(path);
}

/** `"worker": "node dist/worker.js"`, `CMD ["node", "src/worker.ts"]`, `shop = app.cli:main` */
function isStartedBy(text: string, stem: string): boolean {
  const form = new RegExp(`[/.\\\\]${escapePattern(stem)}(?:\\.[cm]?[jt]sx?|\\.py)?(?:["'\\s:,)\\]]|$)`);
  return linesAround(text, stem).some((lines) => form.test(lines));
}

/** Like `names`, or in a list of imported names. */
function mentions(text: string, stem: string): boolean {
  const word = escapePattern(stem);
  const form = new RegExp(`[.,({[]\\s*${word}\\b|\\b${word}\\s*[.,)}\\]]`);
  const module = asModule(stem);
  return linesAround(text, stem).some((lines) => module.test(lines) || form.test(lines));
}
