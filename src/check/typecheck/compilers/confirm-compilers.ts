import type { CheckContext } from '#check/context.ts';
import type { Confirmation, ConfirmOptions } from '#check/typecheck/confirm.ts';
import { blobSizes } from '#check/typecheck/containment/blob-sizes.ts';
import { type Checkout, checkoutOf } from '#check/typecheck/containment/checkout.ts';
import { CheckerFailure, type CheckerRun, runChecker } from '#check/typecheck/containment/containment.ts';
import { type Effort, notAsked } from '#check/typecheck/containment/effort.ts';
import { findProgram } from '#check/typecheck/containment/find-program.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import { checkerFindings } from '#check/typecheck/diagnostics/blame.ts';
import { type Meeting, wholeRuns } from '#check/typecheck/diagnostics/meeting.ts';
import { mergedFiles } from '#check/typecheck/diagnostics/merged-files.ts';
import { type Blamed, newDiagnostics } from '#check/typecheck/diagnostics/new-diagnostics.ts';
import { withOwnLosses } from '#check/typecheck/diagnostics/own-losses.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { Compiler, FileCompiler, TreeCompiler } from './compiler.ts';
import { compilers } from './compilers.ts';
import { FileChecks } from './file-checks.ts';
import { type InstalledCompiler, TreeChecks } from './tree-checks.ts';

interface Answer extends Omit<Confirmation, 'findings'> {
  readonly blamed: readonly Blamed[];
}

const nothing: Answer = { blamed: [], checkers: [], unable: [], notes: [] };

/** Runs the installed compilers on unions (V05). */
export async function confirmCompilers(
  context: CheckContext,
  meeting: Meeting,
  base: GitTree,
  store: ResultStore,
  effort: Effort,
  options: ConfirmOptions,
): Promise<Confirmation> {
  const { timeLimitMs, onInterrupt } = options;
  const run: CheckerRun = { cwd: context.workspace.scratch.dir, timeLimitMs, effort, onInterrupt };
  const { tree } = meeting.full;
  const answers: Answer[] = [];
  let checkout: Checkout | null = null;
  for (const compiler of compilers) {
    const isConcerned = meeting.sides.some(({ changed }) => [...changed.keys()].some(compiler.isSource));
    if (tree === null || !isConcerned) continue;
    checkout ??= await checkoutOf(context, [tree]);
    answers.push(await ask(compiler, checkout));
  }
  return {
    findings: await checkerFindings(
      context,
      meeting,
      'compilers',
      answers.flatMap(({ blamed }) => blamed),
    ),
    checkers: answers.flatMap(({ checkers }) => checkers),
    unable: answers.flatMap(({ unable }) => unable),
    notes: answers.flatMap(({ notes }) => notes),
  };

  async function ask(compiler: Compiler, from: Checkout): Promise<Answer> {
    try {
      const installed = await findCompiler(compiler, from, run);
      // Nobody may read "no errors" where nothing was compiled.
      if (installed === null)
        return {
          ...nothing,
          notes: [{ check: compiler.name, reason: `${compiler.program} is not installed` }],
        };
      return compiler.reads === 'tree'
        ? await askAboutTrees({ ...installed, compiler })
        : await askAboutFiles({ ...installed, compiler });
    } catch (error) {
      if (!(error instanceof CheckerFailure)) throw error;
      const { message: reason, isCutOff } = error;
      return { ...nothing, unable: [{ check: compiler.name, reason, isCutOff, mayPass: true }] };
    }
  }

  async function askAboutTrees(installed: InstalledCompiler<TreeCompiler>): Promise<Answer> {
    const { compiler, version } = installed;
    const union = tree === null ? base : (await context.trees.get(tree)).git;
    const sizes = await blobSizes(context.workspace.objects, union, compiler.isSource);
    const megabytes = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6;
    const seconds = wholeRuns(meeting) * (compiler.costs.start + megabytes * compiler.costs.megabyte);
    if (!effort.allows(seconds))
      return { ...nothing, notes: [notAsked(compiler.name, seconds, `${megabytes.toFixed(1)} MB`)] };
    const checks = new TreeChecks(context, installed, store, `${options.resultsDir}-compilers`, run);
    const found = await newDiagnostics(context, meeting, checks);
    const unresolvedImports = await checks.unresolvedIn(tree ?? context.base.tree);
    const blamed = unresolvedImports === 0 ? found : await withOwnLosses(context, meeting, found);
    const checker = { name: compiler.name, version, origin: 'path', project: '.' } as const;
    return { ...nothing, blamed, checkers: [{ ...checker, runs: checks.asked, unresolvedImports }] };
  }

  async function askAboutFiles(installed: InstalledCompiler<FileCompiler>): Promise<Answer> {
    const { compiler, version } = installed;
    const merged = await mergedFiles(context, meeting, base, compiler.isSource);
    if (merged.length === 0) return nothing;
    const checks = new FileChecks(context, installed, merged, store, run);
    const blamed = await newDiagnostics(context, meeting, checks);
    const checker = { name: compiler.name, version, origin: 'path', project: '.' } as const;
    return { ...nothing, blamed, checkers: [{ ...checker, runs: checks.asked, unresolvedImports: 0 }] };
  }
}

/** null: not installed. */
async function findCompiler(
  compiler: Compiler,
  checkout: Checkout,
  run: CheckerRun,
): Promise<Omit<InstalledCompiler<Compiler>, 'compiler'> | null> {
  const found = await findProgram(compiler.program, checkout);
  if (found === null) return null;
  const { stdout, stderr } = await runChecker(found.path, compiler.version, run).catch(
    (failure: CheckerFailure) => {
      throw new CheckerFailure('unloadable', failure.message);
    },
  );
  const version = /\d{1,9}(\.\d{1,9}){1,9}/.exec(`${stdout}\n${stderr}`)?.[0];
  if (version === undefined)
    throw new CheckerFailure('unloadable', `${compiler.program} does not say its version`);
  return { path: found.path, version };
}
