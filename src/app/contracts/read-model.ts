import { allFields, nameInCode } from '#contract/judge/lookup.ts';
import { statedName } from '#contract/judge/signature.ts';
import { applyMigrations } from '#contract/read/migrations.ts';
import { readShapes, speaksOfShapes } from '#contract/read/read-shapes.ts';
import type { CodeModel, FileShapes, MigrationStep, Place } from '#contract/shapes.ts';
import { readFilesIn } from '#git/trees/files-at.ts';
import { filesWithWords } from '#git/trees/grep.ts';
import type { Contract } from '#schema/contract.ts';
import type { ReadableTree } from './union-room.ts';

/** Longest chain of classes that extend each other to follow. */
const mostRounds = 4;

/** Reads what a tree says about the items of a contract: from the files it names and the files that contain its words. */
export async function readModel(source: ReadableTree, contract: Contract): Promise<CodeModel> {
  const reading = new Reading(source);
  const named = contract.entities.flatMap(({ path }) => path ?? []);
  await reading.read(named.filter((path) => source.tree.blob(path) !== undefined));
  const first = reading.model();
  const open = contract.entities.filter((entity) => !isFoundAtItsPath(first, entity));
  const words = open.flatMap((entity) => wordsOf(entity));
  const ways = contract.relationships.flatMap(({ via }) => via.split('.').slice(0, 1));
  await reading.search([...words, ...ways]);
  for (let round = 0; round < mostRounds; round++) {
    const model = reading.model();
    const bases = model.shapes
      .filter((shape) => allFields(model, shape).open !== null)
      .flatMap((shape) => shape.bases.map((base) => base.split('.').at(-1) ?? base));
    if (!(await reading.search(bases))) return model;
  }
  return reading.model();
}

/** Reads every file of a tree that can define types, functions or tables. */
export async function readWholeModel(
  source: ReadableTree,
  isWanted: (path: string) => boolean,
): Promise<CodeModel> {
  const reading = new Reading(source);
  await reading.read(source.tree.matching((path) => speaksOfShapes(path) && isWanted(path)));
  return reading.model();
}

function wordsOf(entity: Contract['entities'][number]): string[] {
  const { type, table, function: called } = entity;
  const name = nameInCode(entity);
  if (type === 'file') return [];
  if (type === 'function') return [lastWord(statedName(called ?? name).name)];
  if (type === 'route') return [name.split(' ').at(-1) ?? name];
  return [name, ...(table === undefined ? [] : [table]), ...(type === 'database' ? djangoSteps : [])];
}

/** Django derives the names of tables: its migrations do not contain them. */
const djangoSteps = ['CreateModel', 'DeleteModel', 'RenameModel', 'AddField', 'RemoveField', 'RenameField'];

const byNumber = new Intl.Collator('en', { numeric: true });

function lastWord(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** True if nothing else has to be searched. A table is never complete: any migration may change it. */
function isFoundAtItsPath(model: CodeModel, entity: Contract['entities'][number]): boolean {
  const { path, type, function: called } = entity;
  const name = nameInCode(entity);
  if (path === undefined || type === 'database' || type === 'route' || type === 'event') return false;
  if (type === 'file') return true;
  if (type === 'function') {
    const wanted = statedName(called ?? name).name;
    return model.callables.some((each) => each.file === path && each.name === wanted);
  }
  return model.shapes.some((shape) => shape.file === path && shape.name === name);
}

class Reading {
  readonly #source: ReadableTree;
  readonly #files = new Map<string, FileShapes>();
  readonly #texts = new Map<string, string>();
  readonly #searched = new Set<string>();

  constructor(source: ReadableTree) {
    this.#source = source;
  }

  async read(paths: readonly string[]): Promise<boolean> {
    const wanted = [...new Set(paths)].filter((path) => !this.#files.has(path));
    if (wanted.length === 0) return false;
    const { tree, objects } = this.#source;
    const files = [...(await readFilesIn(tree, objects, wanted))];
    const shapes = await readShapes(files);
    for (const [at, [path, text]] of files.entries()) {
      this.#texts.set(path, text);
      const found = shapes[at];
      if (found) this.#files.set(path, found);
    }
    return true;
  }

  /** Reads the files that contain one of the words; false if all of them were read before. */
  async search(words: readonly string[]): Promise<boolean> {
    const fresh = [...new Set(words)].filter((word) => !this.#searched.has(word));
    for (const word of fresh) this.#searched.add(word);
    const { git, tree } = this.#source;
    const found = await filesWithWords(git, tree.id, fresh);
    return this.read(found.filter(speaksOfShapes).sort());
  }

  model(): CodeModel {
    // `V10__x.sql` runs after `V2__x.sql`.
    const all = [...this.#files].sort(([a], [b]) => byNumber.compare(a, b));
    const steps: MigrationStep[] = all.flatMap(([, { steps: own }]) => own);
    const { tree } = this.#source;
    const texts = this.#texts;
    return {
      shapes: [...all.flatMap(([, { shapes }]) => shapes), ...applyMigrations(steps)],
      callables: all.flatMap(([, { callables }]) => callables),
      files: this.#files,
      has: (path) => tree.entry(path) !== undefined,
      isFolder: (path) => tree.isDirectory(path),
      quoted: (text) => [...texts].flatMap(([file, content]) => quotedLines(file, content, text)),
    };
  }
}

function quotedLines(file: string, content: string, text: string): (Place & { readonly text: string })[] {
  const quotes = [`'${text}'`, `"${text}"`, `\`${text}\``];
  if (!quotes.some((quote) => content.includes(quote))) return [];
  return content
    .split(/\r?\n/)
    .flatMap((row, index) =>
      quotes.some((quote) => row.includes(quote)) ? [{ file, line: index + 1, text: row }] : [],
    );
}
