import { realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { SeamContext } from '../../seam-context.ts';
import { checkerFindings } from '../blame.ts';
import { checkoutOf } from '../checkout.ts';
import type { Confirmation, ConfirmOptions } from '../confirm.ts';
import { CheckerFailure, type ContainedRun, runContained } from '../containment.ts';
import type { Diagnostic } from '../diagnostic-keys.ts';
import type { Meeting } from '../meeting.ts';
import { type Blamed, newDiagnostics } from '../new-diagnostics.ts';
import type { ResultStore } from '../result-store.ts';
import { compileFiles } from './compile.ts';
import { isPython, MaterialisedTree } from './materialised-tree.ts';
import { configuredTools, findProgram, type PythonTool } from './tools.ts';

/** Raise when answers to the same question change. */
const answersVersion = 1;

type Unable = Confirmation['unable'][number];
type Checker = Confirmation['checkers'][number];

/** Python on unions (V02): what Python says when it compiles a file, and the type checker that the project has set up. */
export async function confirmPython(
  context: SeamContext,
  meeting: Meeting,
  store: ResultStore,
  options: ConfirmOptions,
): Promise<Confirmation> {
  const nothing: Confirmation = { findings: [], checkers: [], unable: [], notes: [], executed: 0 };
  const changed = new Set(meeting.sides.flatMap((side) => [...side.changed.keys()].filter(isPython)));
  if (meeting.full.tree === null || changed.size === 0) return nothing;
  const union = (await context.trees.get(meeting.full.tree)).git;
  const base = (await context.trees.get(context.base.tree)).git;
  const checkout = await checkoutOf(context.workspace.repository, [base, union]);
  const python = findProgram('python3', checkout) ?? findProgram('python', checkout);
  if (!python) return nothing;
  const run: ContainedRun = {
    cwd: context.workspace.scratch.dir,
    timeLimitMs: options.timeLimitMs,
    onInterrupt: options.onInterrupt,
  };
  const blamed: Blamed[] = [];
  const unable: Unable[] = [];
  const checkers: Checker[] = [];
  let executed = 0;
  await attempt('compile', unable, async () => {
    blamed.push(...(await compiled(context, meeting, python.path, run)));
  });
  const read = async (path: string) => {
    const blob = union.blob(path);
    return (
      (blob === undefined ? null : await context.workspace.objects.content(blob))?.toString('utf8') ?? null
    );
  };
  for (const tool of await configuredTools(read)) {
    const program = findProgram(tool.name, checkout);
    if (!program) {
      unable.push({ check: tool.name, reason: `${tool.project} sets it up, and it is not installed` });
      continue;
    }
    await attempt(tool.name, unable, async () => {
      const checks = await ToolChecks.open(context, tool, { ...program, python: python.path }, store, run);
      blamed.push(...(await newDiagnostics(context, meeting, checks)));
      checkers.push({
        name: tool.name,
        version: checks.version,
        origin: program.origin,
        project: tool.project,
        runs: checks.asked,
        unresolvedImports: await checks.unresolvedIn(meeting.full.tree ?? ''),
      });
      executed += checks.executed;
    });
  }
  const findings = await checkerFindings(context, meeting, 'V02', blamed);
  return { findings, checkers, unable, notes: [], executed };
}

async function attempt(check: string, unable: Unable[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CheckerFailure)) throw error;
    unable.push({ check, reason: error.message });
  }
}

/** Only a file that several branches changed can stop compiling in their union. */
function compiled(
  context: SeamContext,
  meeting: Meeting,
  python: string,
  run: ContainedRun,
): Promise<Blamed[]> {
  const count = new Map<string, number>();
  for (const { changed } of meeting.sides)
    for (const path of changed.keys()) if (path.endsWith('.py')) count.set(path, (count.get(path) ?? 0) + 1);
  const shared = [...count].flatMap(([path, sides]) => (sides > 1 ? [path] : [])).sort();
  return newDiagnostics(context, meeting, {
    diagnostics: async (tree, focus) =>
      compileFiles(
        python,
        (await context.trees.get(tree)).git,
        focus ?? shared,
        (blob) => context.workspace.objects.content(blob),
        run,
      ),
  });
}

interface Program {
  readonly path: string;
  readonly python: string;
}

/** One type checker asked about many trees. It always reads a whole tree, so each is asked about once. */
class ToolChecks {
  readonly version: string;
  readonly #context: SeamContext;
  readonly #tool: PythonTool;
  readonly #program: Program;
  readonly #store: ResultStore;
  readonly #run: ContainedRun;
  readonly #files: MaterialisedTree;
  readonly #answers = new Map<string, Promise<readonly Diagnostic[]>>();
  asked = 0;
  executed = 0;

  private constructor(
    version: string,
    context: SeamContext,
    tool: PythonTool,
    program: Program,
    store: ResultStore,
    run: ContainedRun,
  ) {
    const { scratch, objects } = context.workspace;
    this.version = version;
    this.#context = context;
    this.#tool = tool;
    this.#program = program;
    this.#store = store;
    this.#run = run;
    this.#files = new MaterialisedTree(join(realpathSync(scratch.dir), `python-${tool.name}`), objects);
  }

  static async open(
    context: SeamContext,
    tool: PythonTool,
    program: Program,
    store: ResultStore,
    run: ContainedRun,
  ): Promise<ToolChecks> {
    const { stdout } = await runContained(program.path, ['--version'], run);
    const version = /\d+(\.\d+)+/.exec(stdout)?.[0];
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
    const all = await this.diagnostics(tree, null);
    return all.filter(({ code }) => /import-not-found|import-untyped|reportMissing/.test(code)).length;
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
    const known = this.#store.read(question);
    if (known !== undefined) return known as Diagnostic[];
    this.executed++;
    this.#context.progress(`type-checking with ${name}`);
    const found = await this.#execute(tree);
    this.#store.write(question, found);
    return found;
  }

  async #execute(tree: string): Promise<Diagnostic[]> {
    const { git } = await this.#context.trees.get(tree);
    await this.#files.moveTo(git);
    const { dir } = this.#files;
    const { name, config } = this.#tool;
    this.#files.write(config.file, config.text);
    const args = this.#tool.args(join(dir, config.file), this.#program.python, `${dir}.cache`);
    const { code, stdout, stderr } = await runContained(this.#program.path, args, { ...this.#run, cwd: dir });
    const found = this.#tool.read(stdout);
    if (found === null || (code !== 0 && found.length === 0)) {
      const said = `${stderr}\n${stdout}`.split('\n').find((line) => line.trim() !== '') ?? '';
      throw new CheckerFailure('crashed', `${name} ended with exit code ${code}: ${said.slice(0, 200)}`);
    }
    return this.#withLines(found, git);
  }

  /** Paths as in the tree, and the line that each diagnostic stands on. */
  async #withLines(
    found: readonly Diagnostic[],
    tree: { blob(path: string): string | undefined },
  ): Promise<Diagnostic[]> {
    const lines = new Map<string, readonly string[]>();
    const placed: Diagnostic[] = [];
    for (const each of found) {
      const file = each.file.startsWith('/')
        ? relative(this.#files.dir, each.file)
        : each.file.replace(/^\.\//, '');
      const blob = tree.blob(file);
      if (blob === undefined) continue;
      const known = lines.get(file);
      const text = known ?? (await this.#read(blob)).split(/\r?\n/);
      lines.set(file, text);
      placed.push({ ...each, file, text: text[each.line - 1]?.trim() ?? '' });
    }
    return placed;
  }

  async #read(blob: string): Promise<string> {
    return (await this.#context.workspace.objects.content(blob))?.toString('utf8') ?? '';
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
