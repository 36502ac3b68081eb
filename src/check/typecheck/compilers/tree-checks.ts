import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CheckContext } from '#check/context.ts';
import { askOnce } from '#check/typecheck/containment/ask-once.ts';
import { CheckerFailure, type CheckerRun, runChecker } from '#check/typecheck/containment/containment.ts';
import { MaterialisedTree } from '#check/typecheck/containment/materialised-tree.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import type { Diagnostic } from '#check/typecheck/diagnostics/diagnostic-keys.ts';
import type { Checks } from '#check/typecheck/diagnostics/new-diagnostics.ts';
import { withSourceLines } from '#check/typecheck/diagnostics/source-lines.ts';
import { countUnresolvedImports } from '#check/typecheck/diagnostics/surroundings.ts';
import type { CompilerCommand, TreeCompiler } from './compiler.ts';

/** Raise when answers to the same question change. */
const answersVersion = 4;

export interface InstalledCompiler<Kind> {
  readonly compiler: Kind;
  readonly path: string;
  readonly version: string;
}

/** One compiler for many trees, which are written to one folder of Joinery in turn. Answers are cached by tree. */
export class TreeChecks implements Checks {
  asked = 0;
  readonly #installed: InstalledCompiler<TreeCompiler>;
  readonly #context: CheckContext;
  readonly #store: ResultStore;
  readonly #cacheDir: string;
  readonly #run: CheckerRun;
  readonly #files: MaterialisedTree;
  readonly #output: string;
  readonly #answers = new Map<string, Promise<readonly Diagnostic[]>>();

  constructor(
    context: CheckContext,
    installed: InstalledCompiler<TreeCompiler>,
    store: ResultStore,
    cacheDir: string,
    run: CheckerRun,
  ) {
    const { scratch, objects } = context.workspace;
    const { compiler } = installed;
    const room = join(realpathSync(scratch.dir), `compiler-${compiler.program}`);
    this.#installed = installed;
    this.#context = context;
    this.#store = store;
    this.#cacheDir = cacheDir;
    this.#run = run;
    this.#files = new MaterialisedTree(
      join(room, 'tree'),
      objects,
      (path) => compiler.isSource(path) || compiler.isSetting(path),
      (path, content) =>
        compiler.isSetting(path) && compiler.reduced
          ? compiler.reduced(path, content.toString('utf8'))
          : content,
    );
    this.#output = join(room, 'output');
  }

  async diagnostics(tree: string, focus: readonly string[] | null): Promise<readonly Diagnostic[]> {
    const answer = this.#answers.get(tree) ?? this.#ask(tree);
    this.#answers.set(tree, answer);
    const all = await answer;
    return focus === null ? all : all.filter(({ file }) => focus.includes(file));
  }

  async unresolvedIn(tree: string): Promise<number> {
    return countUnresolvedImports(await this.diagnostics(tree, null));
  }

  #ask(tree: string): Promise<readonly Diagnostic[]> {
    this.asked++;
    const { compiler, path, version } = this.#installed;
    const question = ['compiler', answersVersion, tree, compiler.name, version, path];
    return askOnce(this.#store, question, this.#run.timeLimitMs, () => {
      this.#run.effort.begin(`with ${compiler.name}`);
      return this.#execute(tree);
    });
  }

  async #execute(tree: string): Promise<Diagnostic[]> {
    const { git } = await this.#context.trees.get(tree);
    const { compiler } = this.#installed;
    await this.#files.moveTo(git);
    // Output of another tree must not replace a source that this one lacks.
    rmSync(this.#output, { recursive: true, force: true });
    mkdirSync(this.#output, { recursive: true });
    mkdirSync(this.#cacheDir, { recursive: true });
    const rooms = { output: this.#output, cache: this.#cacheDir };
    const found: Diagnostic[] = [];
    // Without sources a compiler exits with an error.
    const isEmpty = !this.#files.paths.some((path) => compiler.isSource(path));
    for (const command of isEmpty ? [] : compiler.runs(this.#files.paths, rooms))
      found.push(...(await this.#compileFully(command)));
    return withSourceLines(found, this.#files.dir, git, this.#context.workspace.objects);
  }

  async #compileFully(command: CompilerCommand): Promise<Diagnostic[]> {
    const found = await this.#compile(command);
    const deeper = found.length > 0 ? this.#installed.compiler.deeper?.(command) : undefined;
    if (!deeper) return found;
    const all = await this.#compile(deeper);
    // Both runs name the first error of a package, in words of their own. Tests are in the first run alone.
    const folders = new Set(all.map(({ file }) => posix.dirname(file)));
    return [
      ...found.filter(({ file }) => !folders.has(posix.dirname(file)) || file.endsWith('_test.go')),
      ...all,
    ];
  }

  async #compile({ folder, args, variables = {}, list }: CompilerCommand): Promise<Diagnostic[]> {
    const { compiler, path } = this.#installed;
    if (list) this.#files.write(list.name, list.text);
    const cwd = join(this.#files.dir, folder);
    const { code, stdout, stderr } = await runChecker(path, args, { ...this.#run, cwd, variables });
    const said = `${stdout}\n${stderr}`;
    const found = compiler.read(said);
    // What it says after a part of the sources cannot be compared with another tree.
    const stopped = compiler.stopped(code, said);
    if (found === null || stopped !== null || (code !== 0 && found.length === 0)) {
      const [first = ''] = [stopped ?? '', ...said.split('\n')].filter((line) => line.trim() !== '');
      const { isCutOff } = CheckerFailure.ended(null, code, stderr);
      const reason = `${compiler.name} ended with exit code ${code}: ${first.slice(0, 200)}`;
      throw new CheckerFailure('crashed', reason, isCutOff);
    }
    return found.map((each) =>
      each.file.startsWith('/') ? each : { ...each, file: posix.join(folder, each.file) },
    );
  }
}
