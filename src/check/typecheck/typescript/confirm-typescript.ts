import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { CheckContext } from '#check/context.ts';
import type { Confirmation, ConfirmOptions, Unable } from '#check/typecheck/confirm.ts';
import { blobSizes } from '#check/typecheck/containment/blob-sizes.ts';
import { type Checkout, checkoutOf } from '#check/typecheck/containment/checkout.ts';
import { CheckerFailure } from '#check/typecheck/containment/containment.ts';
import { type Effort, notAsked } from '#check/typecheck/containment/effort.ts';
import { packagesState } from '#check/typecheck/containment/packages-state.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import { checkerFindings } from '#check/typecheck/diagnostics/blame.ts';
import type { Diagnostic } from '#check/typecheck/diagnostics/diagnostic-keys.ts';
import { type Meeting, unionsOfLeftOut, wholeRuns } from '#check/typecheck/diagnostics/meeting.ts';
import { type Blamed, newDiagnostics } from '#check/typecheck/diagnostics/new-diagnostics.ts';
import { countUnresolvedImports } from '#check/typecheck/diagnostics/surroundings.ts';
import { mergeMany } from '#check/unions/unions.ts';
import { diffTrees, type GitTree } from '#git/trees/tree.ts';
import type { Checked } from './checker.ts';
import { type Asked, estimate, isSource } from './estimate.ts';
import { type Rung, rungsFor } from './ladder.ts';
import { projectsAround } from './projects.ts';
import { TypeChecks } from './type-checks.ts';

/** Where a tree is mounted when the repository has no checkout. */
const nowhere = process.platform === 'win32' ? 'C:/joinery-union' : '/joinery-union';
const checkedFile = /\.(?:[cm]?[jt]sx?|json)$/i;

class Rejected extends Error {}

interface Trees {
  /** The union of all branches whose text merges. */
  readonly full: string;
  /** Unions of branches that were left out of it, each with all that it merges with. */
  readonly leftOut: readonly string[];
}

/** TypeScript on unions (V01): the project's own compiler first, then the bundled one. */
export async function confirmTypeScript(
  context: CheckContext,
  meeting: Meeting,
  base: GitTree,
  store: ResultStore,
  effort: Effort,
  options: ConfirmOptions,
): Promise<Confirmation> {
  const session = new Session(context, meeting, base, store, effort, options);
  try {
    return await session.run();
  } finally {
    session.close();
  }
}

class Session {
  readonly #context: CheckContext;
  readonly #meeting: Meeting;
  readonly #base: GitTree;
  readonly #store: ResultStore;
  readonly #effort: Effort;
  readonly #options: ConfirmOptions;
  readonly #compilers = new Map<string, TypeChecks>();
  /** Compilers that failed are not used again. */
  readonly #broken = new Map<string, CheckerFailure>();
  readonly #unable: Unable[] = [];
  readonly #notes: { check: string; reason: string }[] = [];

  constructor(
    context: CheckContext,
    meeting: Meeting,
    base: GitTree,
    store: ResultStore,
    effort: Effort,
    options: ConfirmOptions,
  ) {
    this.#context = context;
    this.#meeting = meeting;
    this.#base = base;
    this.#store = store;
    this.#effort = effort;
    this.#options = options;
  }

  async run(): Promise<Confirmation> {
    const blamed: Blamed[] = [];
    const checkers: Confirmation['checkers'] = [];
    const tree = this.#meeting.full.tree;
    const changed = [...new Set(this.#meeting.sides.flatMap((side) => [...side.changed.keys()]))]
      .filter((path) => checkedFile.test(path))
      .sort();
    if (tree !== null && changed.length > 0) {
      const union = (await this.#context.trees.get(tree)).git;
      const checkout = await checkoutOf(this.#context, [tree]);
      const projects = await projectsAround(union, changed, (path) => this.#read(union, path));
      const isAllowed = await this.#mayAsk(projects, union, changed, checkout);
      const trees = { full: tree, leftOut: isAllowed ? await this.#leftOut() : [] };
      for (const project of isAllowed ? projects : []) {
        const done = await this.#project(project, changed, checkout, trees);
        if (!done) continue;
        blamed.push(...done.blamed);
        checkers.push(done.checker);
      }
      if (
        projects.length === 0 &&
        this.#options.demanded &&
        changed.some((path) => /\.[cm]?tsx?$/.test(path))
      )
        this.#unable.push({ check: 'types', reason: 'there is no tsconfig.json' });
    }
    return {
      findings: await checkerFindings(this.#context, this.#meeting, 'typescript', distinct(blamed)),
      checkers,
      unable: this.#unable,
      notes: this.#notes,
    };
  }

  /** Unless requested, only checks that take seconds run; for others a line says how long they would take. */
  async #mayAsk(
    projects: readonly string[],
    union: GitTree,
    changed: readonly string[],
    checkout: Checkout,
  ): Promise<boolean> {
    const asked: Asked[] = [];
    for (const config of projects) {
      const [first] = await rungsFor(checkout, posix.dirname(config));
      asked.push({ config, text: await this.#read(union, config), kind: first?.kind ?? 'native' });
    }
    const sizes = await blobSizes(this.#context.workspace.objects, union, isSource);
    const {
      seconds,
      projects: holding,
      megabytes,
    } = estimate(sizes, asked, changed, wholeRuns(this.#meeting));
    if (this.#effort.allows(seconds)) return true;
    const scope = `${holding} ${holding === 1 ? 'project' : 'projects'}, ${megabytes.toFixed(1)} MB`;
    this.#notes.push(notAsked('types', seconds, scope));
    return false;
  }

  /** Checks one project with the first compiler that works; null when no branch has changed a file of it. */
  async #project(project: string, changed: readonly string[], checkout: Checkout, trees: Trees) {
    const failed: string[] = [];
    let isCutOff = false;
    for (const rung of await rungsFor(checkout, posix.dirname(project))) {
      const name = `TypeScript ${rung.version}${rung.origin === 'project' ? ' of the project' : ''}`;
      try {
        const done = await this.#withCompiler(rung, checkout, project, changed, trees);
        if (done && failed.length > 0)
          this.#notes.push({
            check: 'types',
            reason: `${project}: ${failed.join('; ')}; used ${name} instead`,
          });
        return done;
      } catch (error) {
        if (!(error instanceof Rejected) && !(error instanceof CheckerFailure)) throw error;
        failed.push(`${name}: ${error.message}`);
        if (!(error instanceof CheckerFailure)) continue;
        isCutOff ||= error.isCutOff;
        this.#broken.set(rung.packageDir, error);
        this.#compilers.get(rung.packageDir)?.close();
        // Another compiler would probably take as long.
        if (error.kind === 'timeout') break;
      }
    }
    const reason = failed.length > 0 ? failed.join('; ') : 'no TypeScript is installed';
    this.#unable.push({
      check: 'types',
      reason: `${project}: ${reason}`,
      isCutOff,
      mayPass: this.#broken.size > 0,
    });
    return null;
  }

  async #withCompiler(
    rung: Rung,
    checkout: Checkout,
    project: string,
    changed: readonly string[],
    { full, leftOut }: Trees,
  ) {
    const broken = this.#broken.get(rung.packageDir);
    if (broken) throw broken;
    const compiler = await this.#compiler(rung, checkout);
    const before = compiler.asked;
    const first = await this.#ask(compiler, full, { project, focus: null, changed });
    const others = first.relevant ? [] : leftOut;
    const seen = [first];
    for (const tree of others) seen.push(await this.#ask(compiler, tree, { project, focus: null, changed }));
    if (!seen.some(({ relevant }) => relevant)) return null;
    const blamed = await newDiagnostics(this.#context, this.#meeting, {
      diagnostics: async (tree, focus) => {
        const isFirst = tree === full && focus === null;
        return diagnosticsOf(
          isFirst ? first : await this.#ask(compiler, tree, { project, focus, changed: null }),
        );
      },
    });
    const unresolvedImports = countUnresolvedImports(diagnosticsOf(first));
    const { version, origin } = rung;
    const runs = compiler.asked - before;
    return { blamed, checker: { name: 'typescript', version, origin, project, runs, unresolvedImports } };
  }

  async #leftOut(): Promise<string[]> {
    const trees: string[] = [];
    for (const members of unionsOfLeftOut(this.#meeting)) {
      const { tree } = await mergeMany(this.#context, this.#meeting.live, members);
      if (tree !== null) trees.push(tree);
    }
    return trees;
  }

  async #ask(compiler: TypeChecks, tree: string, request: Parameters<TypeChecks['check']>[1]) {
    const checked = await compiler.check(tree, request);
    if (checked.rejected !== null) throw new Rejected(checked.rejected);
    return checked;
  }

  async #compiler(rung: Rung, checkout: Checkout): Promise<TypeChecks> {
    const known = this.#compilers.get(rung.packageDir);
    if (known) return known;
    const { workspace } = this.#context;
    const root = (checkout.dir ?? nowhere).replaceAll('\\', '/');
    const folders = this.#base.matching(isManifest).map((path) => posix.dirname(path));
    const compiler = new TypeChecks({
      rung,
      base: this.#base,
      objects: workspace.objects,
      root,
      cwd: workspace.scratch.dir,
      packages: await installedFolders(checkout, ['.', ...folders]),
      packagesState: checkout.dir === null ? '' : packagesState(checkout.dir, folders, checkout.looked),
      timeLimitMs: this.#options.timeLimitMs,
      effort: this.#effort,
      store: this.#store,
      onInterrupt: this.#options.onInterrupt,
      differences: async (tree) =>
        (await diffTrees(workspace.scratch.git, [[this.#base.id, tree]], { renames: false }))[0] ?? [],
    });
    this.#compilers.set(rung.packageDir, compiler);
    return compiler;
  }

  async #read(tree: GitTree, path: string): Promise<string | null> {
    const blob = tree.blob(path);
    const content = blob === undefined ? null : await this.#context.workspace.objects.content(blob);
    return content?.toString('utf8') ?? null;
  }

  close(): void {
    for (const compiler of this.#compilers.values()) compiler.close();
  }
}

function diagnosticsOf({ diagnostics }: Pick<Checked, 'diagnostics'>): Diagnostic[] {
  return diagnostics.map(({ code, ...rest }) => ({ ...rest, code: `TS${code}` }));
}

/** Installed `node_modules` folders: nothing in them belongs to the repository. */
async function installedFolders({ dir, isTracked }: Checkout, folders: readonly string[]): Promise<string[]> {
  const installed: string[] = [];
  for (const folder of new Set(folders)) {
    const modules = posix.join(folder, 'node_modules');
    if (dir !== null && existsSync(join(dir, modules)) && !(await isTracked(modules)))
      installed.push(modules);
  }
  return installed;
}

const isManifest = (path: string): boolean => posix.basename(path) === 'package.json';

/** Two projects may contain the same file. */
function distinct(blamed: readonly Blamed[]): Blamed[] {
  const keys = ({ diagnostic: { file, line, code, message }, guilty }: Blamed) =>
    JSON.stringify([file, line, code, message, guilty]);
  return [...new Map(blamed.map((each) => [keys(each), each])).values()];
}
