import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { overallStatus } from '#gates/run/findings.ts';
import { runGates } from '#gates/run/run-gates.ts';
import { checkSyntax } from '#gates/run/syntax.ts';
import { groundBranch } from '#grounding/judge/ground-branch.ts';
import { containmentHere, describeContainment } from '#process/containment.ts';
import { UsageError } from '#schema/errors.ts';
import type { GateMode, GatesReport, TestOrigin } from '#schema/gates.ts';
import { cacheDir } from '#schema/paths.ts';
import { type EvidenceRoom, withEvidence } from './evidence-room.ts';
import type { WantedWork } from './find-work.ts';

/** Runs the gates of a worktree as its base defines them, never as the work defines them. */
export function gatesHere(
  surroundings: Surroundings,
  work: WantedWork,
  mode: GateMode,
): Promise<GatesReport> {
  return withEvidence(surroundings, work, async (room) => {
    const { definitions, place, baseline } = room;
    if (definitions.gates.length === 0) throw noGates(room);
    const grounded = mode === 'full' ? await groundOf(room, surroundings) : null;
    const isGrounded = grounded?.status !== 'fail';
    const syntax = await checkSyntax(room.scratch.git, room.changes);
    const wanted = isGrounded ? room.gates(mode) : [];
    const gates = await runGates(wanted, { place, baseline, progress: surroundings.terminal.progress });
    return {
      schema: 'joinery/gates@1',
      status: isGrounded && syntax.status === 'pass' ? overallStatus(gates) : 'fail',
      mode,
      base: definitions.commit,
      file: definitions.file,
      worktree: place.worktree.path,
      run: place.run,
      task: place.task,
      ground: grounded,
      syntax,
      gates,
      containment: describeContainment(containmentHere(surroundings.env)),
      sources: [...definitions.sources],
    };
  });
}

/** Grounds the work of a task first, as at the handoff. */
async function groundOf(
  { repository, place, baseline, declared }: EvidenceRoom,
  { env, terminal }: Pick<Surroundings, 'env' | 'terminal'>,
): Promise<GatesReport['ground']> {
  if (place.task === null) return null;
  terminal.progress('reading the work');
  const { status, checks } = await groundBranch({
    repository,
    branch: place.worktree.path,
    base: baseline.commit,
    files: declared,
    assignment: null,
    cacheDir: cacheDir(thisHost(env)),
  });
  const findings = checks.flatMap((check) => check.findings);
  return {
    status,
    findings: findings.map(({ check, severity, message, hint }) => ({ check, severity, message, hint })),
  };
}

function noGates({ definitions: { commit, sources } }: EvidenceRoom): UsageError {
  const proposal =
    sources.find(({ use }) => use === 'offered') ?? sources.find(({ use }) => use === 'proposal');
  return new UsageError({
    code: 'no-gates',
    message: `commit ${commit.slice(0, 12)} defines no gates, and no manifest says how it is tested`,
    hint: `write a section "## Quality Gates" with a line "- ${nameFor(proposal)}: \`${proposal?.command ?? '<command>'}\`" into AGENTS.md and commit it${proposal === undefined ? '' : ` (as in ${proposal.origin})`}, or name another commit: --base <rev>`,
  });
}

/** `npm run lint` is called lint. */
function nameFor(source: TestOrigin | undefined): string {
  return source?.use === 'offered' ? (source.command.split(' ').at(-1) ?? 'test') : 'test';
}
