import type { CheckContext } from '#check/context.ts';
import { askOnce } from '#check/typecheck/containment/ask-once.ts';
import { type CheckerRun, runChecker } from '#check/typecheck/containment/containment.ts';
import type { ResultStore } from '#check/typecheck/containment/result-store.ts';
import type { Diagnostic } from '#check/typecheck/diagnostics/diagnostic-keys.ts';
import type { Checks } from '#check/typecheck/diagnostics/new-diagnostics.ts';
import type { FileCompiler } from './compiler.ts';
import type { InstalledCompiler } from './tree-checks.ts';

/** Checks single files, whose content comes from the tree: nothing is written to disk. */
export class FileChecks implements Checks {
  asked = 0;
  readonly #context: CheckContext;
  readonly #installed: InstalledCompiler<FileCompiler>;
  /** Files that can differ from those of every member. */
  readonly #merged: readonly string[];
  readonly #store: ResultStore;
  readonly #run: CheckerRun;

  constructor(
    context: CheckContext,
    installed: InstalledCompiler<FileCompiler>,
    merged: readonly string[],
    store: ResultStore,
    run: CheckerRun,
  ) {
    this.#context = context;
    this.#installed = installed;
    this.#merged = merged;
    this.#store = store;
    this.#run = run;
  }

  async diagnostics(tree: string, focus: readonly string[] | null): Promise<readonly Diagnostic[]> {
    this.asked++;
    const { git } = await this.#context.trees.get(tree);
    const found: Diagnostic[] = [];
    for (const file of focus ?? this.#merged) {
      const blob = git.blob(file);
      const content = blob === undefined ? null : await this.#context.workspace.objects.content(blob);
      if (blob === undefined || content === null) continue;
      const text = content.toString('utf8');
      const error = await this.#errorIn(blob, text);
      if (error) found.push({ ...error, file, text: text.split(/\r?\n/)[error.line - 1]?.trim() ?? '' });
    }
    return found;
  }

  async #errorIn(blob: string, text: string): Promise<Omit<Diagnostic, 'file' | 'text'> | null> {
    const { compiler, path, version } = this.#installed;
    const question = ['compiler', 1, blob, compiler.name, version, path];
    return askOnce(this.#store, question, this.#run.timeLimitMs, async () => {
      this.#run.effort.begin(`with ${compiler.name}`);
      const { stdout, stderr } = await runChecker(path, compiler.args, { ...this.#run, input: text });
      return compiler.read(`${stdout}\n${stderr}`);
    });
  }
}
