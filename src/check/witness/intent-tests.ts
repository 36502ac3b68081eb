import type { CheckContext } from '#check/context.ts';
import type { Meeting } from '#check/typecheck/diagnostics/meeting.ts';
import { importClosure } from '#check/typecheck/diagnostics/suspects.ts';
import { packageOf } from '#code/languages/index.ts';
import type { LinkedTree } from '#code/link/code-tree.ts';
import { gateInputs } from '#gates/definitions/inputs.ts';
import { changedCases } from '#gates/mutants/changed-cases.ts';
import type { Change } from '#git/trees/tree.ts';
import { compileGlobs } from '#lib/glob.ts';
import { readTests } from '#tests/code/read-tests.ts';
import { isCode, isTestFile, mayHoldTests } from '#tests/code/test-path.ts';

/** A test that a branch adds or rewrites. */
export interface IntentTest {
  /** `cart > adds up`. */
  readonly id: string;
  readonly line: number;
  readonly endLine: number;
}

/** The tests of one file that a branch adds or rewrites. */
export interface IntentFile {
  /** Index of the live branch. */
  readonly owner: number;
  readonly path: string;
  readonly tests: readonly IntentTest[];
}

/** Tests that branches add or rewrite, according to their text: of every compared branch. */
export async function intentFiles({ workspace }: CheckContext, { live }: Meeting): Promise<IntentFile[]> {
  const found: IntentFile[] = [];
  const textOf = async (blob: string | undefined) =>
    blob === undefined ? null : ((await workspace.objects.content(blob))?.toString('utf8') ?? null);
  for (const [owner, { merged }] of live.entries()) {
    const changes = merged.changes.filter(({ path, after }) => after?.kind === 'file' && mayHoldTests(path));
    const texts = await Promise.all(
      changes.map(async ({ path, before, after }) => ({
        path,
        before: await textOf(before?.id),
        after: await textOf(after?.id),
      })),
    );
    const cases = Map.groupBy(changedCases(texts, mayHoldTests), ({ path }) => path);
    for (const { path, after } of texts) {
      const ids = new Set(cases.get(path)?.map(({ id }) => id));
      const tests = (readTests(path, after ?? '')?.cases ?? [])
        .filter(({ id, runs }) => ids.has(id) && runs === 'always')
        .map(({ id, line, source }) => ({
          id,
          line,
          endLine: line + source.trimEnd().split('\n').length - 1,
        }));
      if (tests.length > 0) found.push({ owner, path, tests });
    }
  }
  return found;
}

/** Files that runners load by name, without an import: settings, `conftest`. */
const isShared = compileGlobs(gateInputs({ gates: [] }).map(({ glob }) => glob));

/** Text for people that no test reads. */
const isProse = (path: string) =>
  /\.(md|mdx|rst|txt|adoc)$|(^|\/)(docs?|licen[cs]e|changelog)(\/|$)/i.test(path);

/** The branches whose changes can affect a test file, by the module graph of the union. */
export async function branchesInReach(
  { path, owner }: Pick<IntentFile, 'path' | 'owner'>,
  union: LinkedTree,
  members: readonly number[],
  changesOf: (index: number) => readonly Change[],
): Promise<number[]> {
  const closure = await importClosure(union, path);
  const isFollowed = isWholeClosure(path, closure, union);
  // Data, settings and removed files are not in the graph: any test may depend on them.
  const isNoticed = ({ path: changed, after }: Change) => {
    if (isProse(changed)) return false;
    if (!isFollowed) return true;
    if (after === null || !isCode(changed)) return !isTestFile(changed);
    return closure.has(changed) || isShared(changed);
  };
  return members
    .filter((index) => index !== owner && changesOf(index).some(isNoticed))
    .map((index) => ({
      index,
      near: changesOf(index).filter(({ path: changed }) => closure.has(changed)).length,
    }))
    .sort((a, b) => b.near - a.near || a.index - b.index)
    .map(({ index }) => index);
}

/** Whether all imports of a test are known: if one leads somewhere unknown, any change may matter. */
function isWholeClosure(path: string, closure: ReadonlyMap<string, unknown>, union: LinkedTree): boolean {
  // Files of one package see each other without an import.
  if (union.linked(path) === undefined || packageOf(path) !== null) return false;
  return [...closure.keys()].every((each) => (union.linked(each)?.gaps.imports.length ?? 0) === 0);
}
