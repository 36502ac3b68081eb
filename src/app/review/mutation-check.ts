import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefectPlace } from '#app/planning/defect-work.ts';
import { FactsReader } from '#code/extraction/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { CodeTree } from '#code/link/code-tree.ts';
import { ResolutionDocuments } from '#code/link/documents.ts';
import { testCommand } from '#gates/definitions/test-command.ts';
import { type FileMutant, mutantsOfChange } from '#gates/mutants/able-to-fail.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { GitTree } from '#git/trees/tree.ts';
import type { FileChange } from '#grounding/change/change.ts';
import type { OpenBranch } from '#grounding/judge/open-branch.ts';
import type { Gate } from '#schema/gates.ts';
import type { MutantReport } from '#schema/review.ts';
import { testsReaching } from '#tests/gaps/tests-reaching.ts';
import { withTestRoom } from './test-room.ts';

/** Time limit for all mutants of a review together. */
const mostMs = 300_000;

/** Mutates lines of the change, one at a time, and runs the tests that reach them. */
export async function mutationCheck(
  place: Omit<DefectPlace, 'consultant'>,
  gates: readonly Gate[],
  open: OpenBranch,
  files: readonly FileChange[],
  most: number,
): Promise<MutantReport> {
  place.progress('trying out changed lines');
  const mutants = (await mutantsOfChange(files)).slice(0, most);
  const report: MutantReport = { tried: 0, killed: 0, survived: [], undecided: 0 };
  if (mutants.length === 0) return report;
  const [gate] = gates;
  const tests = await testsOf(place, open, [...new Set(mutants.map(({ path }) => path))]);
  const until = performance.now() + mostMs;
  for (const mutant of mutants) {
    const reaching = tests.get(mutant.path) ?? [];
    const left = until - performance.now();
    const line = gate && reaching.length > 0 ? testCommand(gate.command, reaching)?.line : undefined;
    report.tried += 1;
    // No test reaches the file, so no test can notice the mutant: nothing to run.
    if (gate && line === undefined) report.survived.push(survivor(mutant, []));
    else if (gate === undefined || line === undefined || left <= 0 || place.signal.aborted)
      report.undecided += 1;
    else {
      const { outcome, exitCode } = await withTestRoom({ ...place, commit: open.tip }, ({ path, run }) => {
        replaceFile(join(path, mutant.path), mutant.text);
        return run(gate, line, left);
      });
      if (outcome !== 'exited') report.undecided += 1;
      else if (exitCode === 0) report.survived.push(survivor(mutant, reaching));
      else report.killed += 1;
    }
  }
  return report;
}

/** Writes a new file and renames it: the old one may be hard-linked elsewhere. Nothing has run in this checkout yet. */
function replaceFile(path: string, text: string): void {
  const fresh = `${path}.mutant`;
  writeFileSync(fresh, text, { flag: 'wx' });
  renameSync(fresh, path);
}

function survivor(
  { path, line, was, becomes }: FileMutant,
  tests: readonly string[],
): MutantReport['survived'][number] {
  return { file: path, line, was, becomes, tests: [...tests] };
}

async function testsOf(
  { room }: Omit<DefectPlace, 'consultant'>,
  { scratch, tip, rules }: OpenBranch,
  paths: readonly string[],
): Promise<Map<string, string[]>> {
  const objects = new ObjectReader(scratch.git);
  const store = new FactsStore(join(room.cache, 'facts.db'), rules.config.cache.maxBytes);
  try {
    const tree = new CodeTree(
      await GitTree.read(scratch.git, tip),
      new FactsReader(objects, store),
      new ResolutionDocuments(objects),
      { pythonRoots: rules.config.python.roots, depth: 'names' },
    );
    const found = new Map<string, string[]>();
    for (const path of paths) found.set(path, await testsReaching(scratch.git, tree, path));
    return found;
  } finally {
    objects.close();
    store.close();
  }
}

/** For reviewers: where a test is missing. */
export function survivorLines(report: MutantReport | null): string[] {
  return (report?.survived ?? []).map(
    ({ file, line, was, becomes, tests }) =>
      `${file}:${line} \`${was}\` could be \`${becomes}\` (${tests.length === 0 ? 'no test reaches it' : `tests that reach it: ${tests.join(', ')}`})`,
  );
}
