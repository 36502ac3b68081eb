import type { NameChanges } from '#check/rules/survey/name-changes.ts';
import type { Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import type { GitTree } from '#git/trees/tree.ts';

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
    const met = shared.filter((name) => survey.sides.some((user) => meets(name, remover, user)));
    const extinct = await withoutTrace(survey, remover, met, gone);
    for (const user of survey.sides) {
      const names = extinct.filter(
        (name) => meets(name, remover, user) && !isBroughtAlong(name, user, gone, added),
      );
      if (names.length === 0 || names.length > mostBetweenTwo) continue;
      for (const name of names) {
        const places = gone.get(name)?.get(remover) ?? [];
        const was = places.find(({ isDefined }) => isDefined) ?? places[0];
        if (!was || (await isPutTogether(survey, name, remover, was.file))) continue;
        if (await isBuiltIn(survey, name, was)) continue;
        const uses = added.get(name)?.get(user) ?? [];
        found.push({
          name,
          remover,
          was,
          successor: await successorOf(name, remover, was.file),
          user,
          uses: uses.map(({ file, line }) => ({ file, line })),
        });
      }
    }
  }
  return found;
}

/** Build output repeats names of other files. */
const builtOutput = /(?:^|\/)(?:out|dist|build|target|coverage|node_modules|vendor)\//;

type Places = Map<string, Map<SurveyedBranch, { file: string; line: number; isDefined: boolean }[]>>;

async function placesOf({ sides }: Survey, what: keyof NameChanges): Promise<Places> {
  const places: Places = new Map();
  for (const side of sides)
    for (const [file, { names }] of await side.news()) {
      if (builtOutput.test(file)) continue;
      for (const [name, line, isDefined] of names?.[what] ?? []) {
        const bySide = places.get(name) ?? new Map();
        bySide.set(side, [...(bySide.get(side) ?? []), { file, line, isDefined }]);
        places.set(name, bySide);
      }
    }
  return places;
}

/** It defines the name itself, or only moves it from one of its files to another. */
function isBroughtAlong(name: string, user: SurveyedBranch, gone: Places, added: Places): boolean {
  return (
    gone.get(name)?.has(user) === true ||
    (added.get(name)?.get(user) ?? []).some(({ isDefined }) => isDefined)
  );
}

/** Those of the names that no file of the tree contains any more. A file that the side did not change settles most of them. */
async function withoutTrace(
  survey: Survey,
  remover: SurveyedBranch,
  names: readonly string[],
  gone: Places,
): Promise<string[]> {
  const { tree, changes } = remover;
  const touched = new Set(changes.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const doubtful: string[] = [];
  for (const name of names) {
    const lostBy = (gone.get(name)?.get(remover) ?? []).map(({ file }) => file);
    if (!(await survey.isHeldBeside(survey.from, name, touched, lostBy.slice(0, 3)))) doubtful.push(name);
  }
  const left = await survey.holders(tree, doubtful);
  return doubtful.filter((name) => !left.has(name) && !isFile(tree, name));
}

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

/** The only new name of the same form in the file: most likely the new name. */
async function successorOf(name: string, remover: SurveyedBranch, file: string): Promise<string | null> {
  const shape = (text: string) => text.replace(/[a-z0-9]+/g, 'a').replace(/[A-Z0-9]{2,}/g, 'A');
  const added = (await remover.news()).get(file)?.names?.added ?? [];
  const alike = added.filter(([other]) => shape(other)[0] === shape(name)[0]);
  const [only] = alike;
  return alike.length === 1 && only ? only[0] : null;
}
