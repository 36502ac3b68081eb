import { declaresVariables } from '#check/rules/survey/environment.ts';
import type { NameChanges } from '#check/rules/survey/name-changes.ts';
import { isMarkup, type NameKind } from '#check/rules/survey/name-kinds.ts';
import type { Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import { isCode } from '#code/languages/index.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { isTestCode } from '#tests/code/test-path.ts';

/** A name that one side removed from its whole tree and another one uses in new code. */
export interface ExtinctName {
  readonly name: string;
  readonly remover: SurveyedBranch;
  /** Where base had it: `{ file: 'config/app.yml', line: 3 }`. */
  readonly was: NameSite;
  /** What replaced it, when that is known. */
  readonly successor: string | null;
  readonly user: SurveyedBranch;
  readonly uses: readonly NameSite[];
}

interface NameSite {
  readonly file: string;
  readonly line: number;
}

/** More vanished names than this between two members are a rewrite, not a rename. */
const mostBetweenTwo = 20;

/** Searches names in files of any language: without a parser, with one search for remaining uses of vanished names. */
export async function extinctNames(survey: Survey): Promise<ExtinctName[]> {
  const gone = await placesOf(survey, 'gone');
  const added = await placesOf(survey, 'added');
  const meets = (name: string, remover: SurveyedBranch, user: SurveyedBranch) =>
    user !== remover &&
    gone.get(name)?.has(remover) === true &&
    added.get(name)?.has(user) === true &&
    survey.isApart(user, remover);
  // Names that one side only moves between its own files, as base does with thousands, need no search.
  const shared = [...gone]
    .filter(([name, removers]) =>
      [...removers.keys()].some((remover) =>
        [...(added.get(name)?.keys() ?? [])].some((user) => meets(name, remover, user)),
      ),
    )
    .map(([name]) => name)
    .sort();
  const found: ExtinctName[] = [];
  for (const remover of survey.sides) {
    const met = shared.filter(
      (name) =>
        isOfProject(survey, name, gone.get(name)?.get(remover) ?? []) &&
        survey.sides.some((user) => meets(name, remover, user)),
    );
    const extinct = await withoutTrace(survey, remover, met, gone);
    for (const user of survey.sides) {
      const names = extinct.filter(
        (name) => meets(name, remover, user) && !isBroughtAlong(name, { user, remover }, gone, added),
      );
      if (names.length > mostBetweenTwo) continue;
      const between: ExtinctName[] = [];
      for (const name of names) {
        const places = gone.get(name)?.get(remover) ?? [];
        const was = places.find(({ kind }) => kind === 'defined') ?? places[0];
        if (!was || (await isPutTogether(survey, name, remover, was.file))) continue;
        if (await isBuiltIn(survey, name, was)) continue;
        const uses = (added.get(name)?.get(user) ?? []).map(({ file, line }) => ({ file, line }));
        const successor = await successorOf(name, remover, was.file);
        between.push({ name, remover, was, successor, user, uses });
      }
      found.push(...between.filter((each) => !between.some((other) => isPartOf(each, other))));
    }
  }
  return found;
}

/** `emptyTitle` in a place where `cart.emptyTitle` is reported. */
function isPartOf(part: ExtinctName, whole: ExtinctName): boolean {
  const [use] = part.uses;
  return (
    part.name !== whole.name &&
    whole.name.includes(part.name) &&
    whole.uses.some(({ file, line }) => file === use?.file && line === use.line)
  );
}

/**
 * `Integer.MAX_VALUE`, `application/json` and `apt-get` come from outside: that their last use goes says nothing. A name is the
 * project's if the removed places define it, or if it is a text that several files agreed on. Classes of a style library are
 * in several files too, so markup alone does not count.
 */
function isOfProject(survey: Survey, name: string, places: readonly Place[]): boolean {
  if (places.some(({ kind }) => kind === 'defined' || kind === 'own')) return true;
  // Titles and sample values of tests are like words: several tests share them by chance.
  const texts = places.filter(({ kind, file }) => kind === 'text' && !isMarkup(file) && !isTestCode(file));
  return texts.length > 1 || (texts.length === 1 && isFile(survey.from, name));
}

/** Build output repeats names of other files. */
const builtOutput = /(?:^|\/)(?:out|dist|build|target|coverage|node_modules|vendor)\//;

type Place = NameSite & { readonly kind: NameKind };
type Places = Map<string, Map<SurveyedBranch, Place[]>>;

async function placesOf({ sides }: Survey, what: keyof NameChanges): Promise<Places> {
  const places: Places = new Map();
  for (const side of sides) {
    const oldPaths = new Map(side.changes.map(({ path, oldPath }) => [path, oldPath ?? path]));
    for (const [path, { names }] of await side.news()) {
      if (builtOutput.test(path)) continue;
      const file = what === 'gone' ? (oldPaths.get(path) ?? path) : path;
      for (const [name, line, kind] of names?.[what] ?? []) {
        const bySide = places.get(name) ?? new Map();
        bySide.set(side, [...(bySide.get(side) ?? []), { file, line, kind }]);
        places.set(name, bySide);
      }
    }
  }
  return places;
}

/** It defines the name itself, or only moves it from one of its files to another. */
function isBroughtAlong(
  name: string,
  { user, remover }: { readonly user: SurveyedBranch; readonly remover: SurveyedBranch },
  gone: Places,
  added: Places,
): boolean {
  if (gone.get(name)?.has(user)) return true;
  const own = added.get(name)?.get(user) ?? [];
  // A variable that is only set, and whose reader the other side took away, has no reader.
  const isSet = own.every(({ file }) => declaresVariables(file));
  const wasRead = gone
    .get(name)
    ?.get(remover)
    ?.some(({ file }) => isCode(file));
  if (isSet && wasRead) return false;
  return own.some(({ kind }) => kind === 'defined' || kind === 'local');
}

/** Those of the names that no file of the tree contains any more. A file that the side did not change settles most of them. */
async function withoutTrace(
  survey: Survey,
  remover: SurveyedBranch,
  names: readonly string[],
  gone: Places,
): Promise<string[]> {
  if (names.length === 0) return [];
  const { tree, changes } = remover;
  const touched = new Set([
    ...changes.flatMap(({ path, oldPath }) => [path, oldPath ?? path]),
    ...survey.from.matching((path) => tellsOfThePast.test(path)),
  ]);
  const doubtful: string[] = [];
  for (const name of names) {
    const lostBy = (gone.get(name)?.get(remover) ?? []).map(({ file }) => file);
    if (!(await survey.isHeldBeside(survey.from, name, touched, lostBy.slice(0, 3)))) doubtful.push(name);
  }
  const left = await survey.holders(tree, doubtful);
  const isLeft = (name: string) =>
    [...(left.get(name) ?? [])].some((path) => !tellsOfThePast.test(path)) ||
    isFile(tree, name) ||
    (survey.union !== null && isFile(survey.union, name));
  return doubtful.filter((name) => !isLeft(name));
}

/** "`OLD_NAME` is now `NEW_NAME`": change logs keep names that are gone. */
const tellsOfThePast =
  /(?:^|\/)(?:changelog|changes|history|news|release[-_]?notes|upgrading|migrating)[\w-]{0,30}(?:\.(?:mdx?|rst|txt|adoc))?$|(?:^|\/)\.changeset\/[^/]*\.md$/i;

/** `hashFiles('pyproject.toml')`: the named file exists, although no text contains the name any more. */
function isFile(tree: GitTree, name: string): boolean {
  return /[./]/.test(name) && tree.matching((path) => path === name || path.endsWith(`/${name}`)).length > 0;
}

/** `.page { &-title { … } }` still defines `page-title`. */
async function isPutTogether(
  survey: Survey,
  name: string,
  { tree }: SurveyedBranch,
  file: string,
): Promise<boolean> {
  if (!/\.(scss|sass|less|styl|pcss)$/.test(file)) return false;
  const text = (await survey.read(tree, file)) ?? '';
  return text.includes(`&${name.slice(name.lastIndexOf('-'))}`);
}

/** `${{ hashFiles('package.json') }}`: a function in settings belongs to the program that reads them. */
async function isBuiltIn(survey: Survey, name: string, { file, line }: NameSite): Promise<boolean> {
  if (!/\.(ya?ml|json|toml)$/.test(file)) return false;
  const text = (await survey.read(survey.from, file)) ?? '';
  return text.split('\n')[line - 1]?.includes(`${name}(`) === true;
}

/** The new path of a moved file, or the only new name of the same form in the file: most likely the new name. */
async function successorOf(name: string, remover: SurveyedBranch, file: string): Promise<string | null> {
  const moved = remover.changes.find(({ oldPath }) => oldPath === file)?.path ?? file;
  if (moved !== file && file.endsWith(name)) return moved;
  const shape = (text: string) => text.replace(/[a-z0-9]+/g, 'a').replace(/[A-Z0-9]{2,}/g, 'A');
  const added = (await remover.news()).get(moved)?.names?.added ?? [];
  const alike = added.filter(([other]) => shape(other)[0] === shape(name)[0]);
  const [only] = alike;
  return alike.length === 1 && only ? only[0] : null;
}
