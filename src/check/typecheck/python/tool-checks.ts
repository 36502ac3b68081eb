import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CheckContext } from '#check/context.ts';
import { askOnce } from '#check/typecheck/containment/ask-once.ts';
import { CheckerFailure, type CheckerRun, runChecker } from '#check/typecheck/containment/containment.ts';
import { MaterialisedTree } from '#check/typecheck/containment/materialised-tree.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import type { Diagnostic } from '#check/typecheck/diagnostics/diagnostic-keys.ts';
import type { Checks } from '#check/typecheck/diagnostics/new-diagnostics.ts';
import { withSourceLines } from '#check/typecheck/diagnostics/source-lines.ts';
import { countUnresolvedImports } from '#check/typecheck/diagnostics/surroundings.ts';
import type { Start } from './environment.ts';
import { isPython, type PythonTool } from './tools.ts';

/** Raise when answers to the same question change. */
const answersVersion = 4;

export interface Program {
  readonly path: string;
  readonly python: string;
  /** How it is started, and the interpreter it is told to use: not always those of its own environment. */
  readonly start: Start;
  readonly interpreter: string;
}

/** One type checker for many trees. It always reads a whole tree, so it runs once for each. */
export class ToolChecks implements Checks {
  readonly version: string;
  readonly #context: CheckContext;
  readonly #tool: PythonTool;
  readonly #program: Program;
  readonly #store: ResultStore;
  readonly #run: CheckerRun;
  readonly #files: MaterialisedTree;
  readonly #answers = new Map<string, Promise<readonly Diagnostic[]>>();
  asked = 0;

  private constructor(
    version: string,
    context: CheckContext,
    tool: PythonTool,
    program: Program,
    store: ResultStore,
    run: CheckerRun,
  ) {
    const { scratch, objects } = context.workspace;
    this.version = version;
    this.#context = context;
    this.#tool = tool;
    this.#program = program;
    this.#store = store;
    this.#run = run;
    this.#files = new MaterialisedTree(
      join(realpathSync(scratch.dir), `python-${tool.name}`),
      objects,
      isPython,
    );
  }

  static async open(
    context: CheckContext,
    tool: PythonTool,
    program: Program,
    store: ResultStore,
    run: CheckerRun,
  ): Promise<ToolChecks> {
    const { command, before } = program.start;
    const { stdout } = await runChecker(command, [...before, '--version'], run).catch(
      (failure: CheckerFailure) => {
        throw new CheckerFailure('unloadable', failure.message);
      },
    );
    const version = /(?<!\d)\d+(\.\d+)+/.exec(stdout)?.[0];
    if (version === undefined)
      throw new CheckerFailure('unloadable', `${tool.name} does not say its version`);
    return new ToolChecks(version, context, tool, program, store, run);
  }

  async diagnostics(tree: string, focus: readonly string[] | null): Promise<readonly Diagnostic[]> {
    const known = this.#answers.get(tree);
    const answer = known ?? this.#ask(tree);
    this.#answers.set(tree, answer);
    const all = await answer;
    return focus === null ? all : all.filter(({ file }) => focus.includes(file));
  }

  async unresolvedIn(tree: string): Promise<number> {
    return countUnresolvedImports(await this.diagnostics(tree, null));
  }

  async #ask(tree: string): Promise<readonly Diagnostic[]> {
    this.asked++;
    const { name, config } = this.#tool;
    const { path, python } = this.#program;
    const question = [
      answersVersion,
      tree,
      name,
      this.version,
      config.text,
      path,
      python,
      packagesOf(python),
    ];
    return askOnce(this.#store, question, this.#run.timeLimitMs, () => {
      this.#run.effort.begin(`with ${name}`);
      return this.#execute(tree);
    });
  }

  async #execute(tree: string): Promise<Diagnostic[]> {
    const { git } = await this.#context.trees.get(tree);
    await this.#files.moveTo(git);
    const { dir } = this.#files;
    const { name, config } = this.#tool;
    this.#files.write(config.file, config.text);
    const { start, interpreter } = this.#program;
    const args = [...start.before, ...this.#tool.args(join(dir, config.file), interpreter)];
    const { code, stdout, stderr } = await runChecker(start.command, args, { ...this.#run, cwd: dir });
    const found = this.#tool.read(stdout);
    // 2 and more: it stopped at an error that blocks the rest, as mypy does at a file that does not parse.
    if (found === null || code > 1 || (code !== 0 && found.length === 0)) {
      const said = `${stderr}\n${stdout}`.split('\n').find((line) => line.trim() !== '') ?? '';
      const { isCutOff } = CheckerFailure.ended(null, code, stderr);
      const reason = `${name} ended with exit code ${code}: ${said.slice(0, 200)}`;
      throw new CheckerFailure('crashed', reason, isCutOff);
    }
    return withSourceLines(found, dir, git, this.#context.workspace.objects);
  }
}

/** Changes when packages are installed into the environment of an interpreter. */
function packagesOf(python: string): number {
  try {
    return statSync(join(dirname(dirname(python)), 'lib')).mtimeMs;
  } catch {
    return 0;
  }
}
