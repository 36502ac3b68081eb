import type { CheckContext } from '#check/context.ts';
import type { Confirmation, ConfirmOptions } from '#check/typecheck/confirm.ts';
import { blobSizes } from '#check/typecheck/containment/blob-sizes.ts';
import { checkoutOf } from '#check/typecheck/containment/checkout.ts';
import { CheckerFailure, type CheckerRun } from '#check/typecheck/containment/containment.ts';
import { type Effort, notAsked } from '#check/typecheck/containment/effort.ts';
import { findProgram } from '#check/typecheck/containment/find-program.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import { checkerFindings } from '#check/typecheck/diagnostics/blame.ts';
import { type Meeting, wholeRuns } from '#check/typecheck/diagnostics/meeting.ts';
import { mergedFiles } from '#check/typecheck/diagnostics/merged-files.ts';
import { type Blamed, newDiagnostics } from '#check/typecheck/diagnostics/new-diagnostics.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { compileFiles } from './compile.ts';
import { PythonEnvironments } from './environment.ts';
import { readIni } from './read-ini.ts';
import { type Program, ToolChecks } from './tool-checks.ts';
import { configuredTools, isPython, type PythonTool } from './tools.ts';

type Checker = Confirmation['checkers'][number];

/** The result of one checker; `unable` when it has none. */
interface Answer {
  readonly blamed: readonly Blamed[];
  readonly checker?: Checker;
  readonly unable?: Confirmation['unable'][number];
  readonly note?: Confirmation['notes'][number];
}

/** Python on unions (V02): errors of Python's own compiler, and of the type checker that the project has configured. */
export async function confirmPython(
  context: CheckContext,
  meeting: Meeting,
  store: ResultStore,
  effort: Effort,
  options: ConfirmOptions,
): Promise<Confirmation> {
  const nothing: Confirmation = { findings: [], checkers: [], unable: [], notes: [] };
  const { tree } = meeting.full;
  if (tree === null || !meeting.sides.some((side) => [...side.changed.keys()].some(isPython))) return nothing;
  const union = (await context.trees.get(tree)).git;
  const base = (await context.trees.get(context.base.tree)).git;
  const checkout = await checkoutOf(context, [tree]);
  const found = (await findProgram('python3', checkout)) ?? (await findProgram('python', checkout));
  const python = found?.path;
  if (python === undefined) return nothing;
  const { timeLimitMs, onInterrupt } = options;
  const run: CheckerRun = { cwd: context.workspace.scratch.dir, timeLimitMs, effort, onInterrupt };
  const answers = [
    await attempt('compile', async () => ({ blamed: await compiled(context, meeting, base, python, run) })),
  ];
  const environments = new PythonEnvironments(
    checkout.worktrees,
    context.workspace.scratch.dir,
    checkout.looked,
  );
  const configured = await configuredTools(
    (path) => textOf(context, union, path),
    (text) => readIni(python, text, run),
  );
  const sizes = configured.length === 0 ? null : await blobSizes(context.workspace.objects, union, isPython);
  const megabytes = [...(sizes?.values() ?? [])].reduce((sum, size) => sum + size, 0) / 1e6;
  const runs = wholeRuns(meeting);
  for (const tool of configured) {
    if ('unreadable' in tool) {
      answers.push({ blamed: [], unable: { check: tool.name, reason: tool.unreadable } });
      continue;
    }
    const program = await findProgram(tool.name, checkout);
    const start = program && environments.startOf(program.path);
    const interpreter = environments.interpreter(python);
    const missing = { check: tool.name, reason: `${tool.project} sets it up, and it is not installed` };
    if (!program) answers.push({ blamed: [], unable: missing });
    else if (!start || interpreter === null) {
      const reason = `${start ? python : program.path} loads folders of this checkout (.pth), whose files are not those of the branches`;
      answers.push({ blamed: [], unable: { check: tool.name, reason } });
    } else if (!effort.allows(secondsOf(tool, megabytes, runs))) {
      const scope = `${megabytes.toFixed(1)} MB`;
      answers.push({ blamed: [], note: notAsked(tool.name, secondsOf(tool, megabytes, runs), scope) });
    } else
      answers.push(
        await attempt(tool.name, () =>
          asked(context, meeting, tree, tool, { ...program, python, start, interpreter }, store, run),
        ),
      );
  }
  return {
    findings: await checkerFindings(
      context,
      meeting,
      'python',
      answers.flatMap(({ blamed }) => blamed),
    ),
    checkers: answers.flatMap(({ checker }) => checker ?? []),
    unable: answers.flatMap(({ unable }) => unable ?? []),
    notes: answers.flatMap(({ note }) => note ?? []),
  };
}

/** CPU seconds to start, and for each megabyte: a rough guess, not measured yet. */
const costs = { mypy: { start: 1.5, megabyte: 8 }, pyright: { start: 1.5, megabyte: 8 } } as const;
/** Estimated from the tree alone, see the estimate for TypeScript. */
function secondsOf({ name }: PythonTool, megabytes: number, runs: number): number {
  return runs * (costs[name].start + megabytes * costs[name].megabyte);
}

async function attempt(check: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CheckerFailure)) throw error;
    const { message: reason, isCutOff } = error;
    return { blamed: [], unable: { check, reason, isCutOff, mayPass: true } };
  }
}

async function textOf({ workspace }: CheckContext, tree: GitTree, path: string): Promise<string | null> {
  const blob = tree.blob(path);
  const content = blob === undefined ? null : await workspace.objects.content(blob);
  return content?.toString('utf8') ?? null;
}

async function asked(
  context: CheckContext,
  meeting: Meeting,
  union: string,
  tool: PythonTool,
  program: Program & { readonly origin: Checker['origin'] },
  store: ResultStore,
  run: CheckerRun,
): Promise<Answer> {
  const checks = await ToolChecks.open(context, tool, program, store, run);
  const blamed = await newDiagnostics(context, meeting, checks);
  const { version, asked: runs } = checks;
  const unresolvedImports = await checks.unresolvedIn(union);
  const { origin } = program;
  return {
    blamed,
    checker: { name: tool.name, version, origin, project: tool.project, runs, unresolvedImports },
  };
}

async function compiled(
  context: CheckContext,
  meeting: Meeting,
  base: GitTree,
  python: string,
  run: CheckerRun,
): Promise<Blamed[]> {
  const merged = await mergedFiles(context, meeting, base, (path) => path.endsWith('.py'));
  return newDiagnostics(context, meeting, {
    diagnostics: async (tree, focus) =>
      compileFiles(
        python,
        (await context.trees.get(tree)).git,
        focus ?? merged,
        (blob) => context.workspace.objects.content(blob),
        run,
      ),
  });
}
