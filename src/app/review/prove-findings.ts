import { type DefectPlace, workOn } from '#app/planning/defect-work.ts';
import { testCommand } from '#gates/definitions/test-command.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { shellWord } from '#lib/shell-word.ts';
import { proverPrompt } from '#review/prompt/review-prompts.ts';
import { judgeRedTest, type TestRun } from '#review/proof/judge-red-test.ts';
import { testsNamed } from '#review/proof/tests-named.ts';
import type { Proofs } from '#review/review.ts';
import type { Gate } from '#schema/gates.ts';
import type { RawFinding, Verification } from '#schema/triage.ts';
import { withTestRoom } from './test-room.ts';

/** At most this many findings get a test in one review. */
const mostFindings = 3;
const stepMs = 600_000;

/** One agent writes a test for each finding; Joinery's runner runs each test alone, on the current tree. */
export async function proveFindings(
  place: DefectPlace,
  gates: readonly Gate[],
  tip: string,
  findings: readonly RawFinding[],
  /** Number of the question to the prover. */
  n = 1,
): Promise<Proofs> {
  const { room } = place;
  const wanted = findings.slice(0, mostFindings);
  const results = new Map<string, Verification>(
    findings.slice(mostFindings).map(({ id }) => [id, inconclusive('more findings than are proven at once')]),
  );
  place.progress('writing tests for the findings');
  const until = performance.now() + stepMs;
  const job = await workOn(place, {
    role: 'prover',
    n,
    prompt: proverPrompt(
      room.role('prover').text,
      wanted,
      gates.map(({ command }) => command),
    ),
    from: tip,
    message: 'test: show findings of a review\n',
    scope: { kind: 'reproduction' },
    wallMs: stepMs,
  });
  const redTests: Proofs['redTests'] = [];
  const files = job.commit === null ? new Map<string, string>() : testsNamed(job.text, job.kept, wanted);
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

/** Runs one test file with the project's test command, on a commit. */
export async function runAlone(
  place: Omit<DefectPlace, 'consultant'>,
  gates: readonly Gate[],
  commit: string,
  file: string,
  leftMs: number,
): Promise<TestRun & { readonly evidence: string }> {
  const gate = gates[0] as Gate;
  return withTestRoom({ ...place, commit }, ({ run }) => run(gate, commandFor(gate.command, file), leftMs));
}

/** Appends the file even if the command is not known to accept single files: the whole suite would prove less. */
function commandFor(command: string, file: string): string {
  const known = testCommand(command, [file]);
  return known?.isFocused ? known.line : `${command} ${shellWord(file)}`;
}
