import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefectPlace, workOn } from '#app/planning/defect-work.ts';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import { testCommand } from '#gates/definitions/test-command.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { withOwnWorktree } from '#gates/runner/own-worktree.ts';
import { recordEvidence } from '#gates/runner/record.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { openWorktreeReader } from '#git/worktrees/worktree-tree.ts';
import { shellWord } from '#lib/shell-word.ts';
import { withholding } from '#process/allowed-environment.ts';
import { proverPrompt } from '#review/prompt/review-prompts.ts';
import { judgeRedTest } from '#review/proof/judge-red-test.ts';
import { testsNamed } from '#review/proof/tests-named.ts';
import type { Proofs } from '#review/review-change.ts';
import type { Gate } from '#schema/gates.ts';
import type { RawFinding, Verification } from '#schema/triage.ts';

/** Findings that tests are written for in one review. */
const mostFindings = 3;
const stepMs = 600_000;

/** One agent writes a test for each finding; each is run alone by our own runner, on the tree as it is. */
export async function proveFindings(
  place: DefectPlace,
  gates: readonly Gate[],
  tip: string,
  findings: readonly RawFinding[],
): Promise<Proofs> {
  const { room } = place;
  const wanted = findings.slice(0, mostFindings);
  const results = new Map<string, Verification>(
    findings.slice(mostFindings).map(({ id }) => [id, inconclusive('more findings than are proven at once')]),
  );
  place.progress('writing tests for the findings');
  const job = await workOn(place, {
    role: 'prover',
    n: 1,
    prompt: proverPrompt(
      room.role('prover').text,
      wanted,
      gates.map(({ command }) => command),
    ),
    from: tip,
    message: 'test: show findings of a review\n',
    scope: { kind: 'reproduction' },
  });
  const redTests: Proofs['redTests'] = [];
  const files = job.commit === null ? new Map<string, string>() : testsNamed(job.text, job.kept, wanted);
  const until = performance.now() + stepMs;
  for (const { id } of wanted) {
    const file = files.get(id);
    if (job.commit === null || file === undefined) {
      results.set(
        id,
        inconclusive(
          job.commit === null
            ? `no test was written: ${job.reason || job.outcome}`
            : 'it has no test of its own',
        ),
      );
      continue;
    }
    const left = until - performance.now();
    const run = left <= 0 ? null : await runAlone(place, gates, job.commit, file, left);
    const judged = run ? judgeRedTest(run) : { result: 'inconclusive' as const, note: 'no time was left' };
    results.set(id, { ...judged, test: file });
    if (judged.result !== 'confirmed' || !run) continue;
    const texts = await readFilesAt(room.repository.git, job.commit, [file]);
    redTests.push({ finding: id, file, content: texts.get(file) ?? '', evidence: run.evidence });
  }
  return { results, redTests, consultations: [job.consultation] };
}

function inconclusive(note: string): Verification {
  return { result: 'inconclusive', test: null, note };
}

/** One test file through the project's own test command. */
async function runAlone(
  { room, env, signal }: DefectPlace,
  gates: readonly Gate[],
  commit: string,
  file: string,
  leftMs: number,
) {
  const { repository, config, state } = room;
  const gate = gates[0] as Gate;
  const store = openEvidenceStore(state);
  const scratch = await createScratch(repository, join(store.folder, 'scratch'));
  const variables = programEnvironment(env, config.gates.env);
  const provide = (path: string) =>
    provideDependencies(config.worktree, repository.workTree, path, variables);
  const reason = 'joinery: proof of a finding';
  try {
    return await withOwnWorktree(
      { repository, scratch, folder: store.folder, provide, commit, reason },
      async (path) => {
        const evidence = await recordEvidence(
          {
            claim: 'test',
            gate: gate.id,
            command: { kind: 'line', line: commandFor(gate.command, file) },
            timeoutMs: Math.min(gate.timeoutMs, Math.ceil(leftMs)),
          },
          {
            store,
            worktree: await openWorktreeReader(repository, scratch, path, config.worktree.folders),
            env: variables,
            hide: withholding(env, variables),
            maxLogBytes: config.gates.logBytes,
            memoryBytes: config.gates.memoryBytes,
            signal,
            run: null,
            task: null,
            attempt: null,
          },
        );
        const log = readFileSync(evidence.log.file, 'utf8');
        return {
          outcome: evidence.outcome,
          exitCode: evidence.exitCode,
          tests: evidence.tests,
          log,
          evidence: evidence.id,
        };
      },
    );
  } finally {
    await scratch.remove();
  }
}

/** A command that is not known to run single files is given the file all the same: the whole suite would prove less. */
function commandFor(command: string, file: string): string {
  const known = testCommand(command, [file]);
  return known?.isFocused ? known.line : `${command} ${shellWord(file)}`;
}
