import type { Override } from '#app/workplace/settings.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { ownVersion } from '#app/workplace/version.ts';
import type { Forge } from '#ci/forge.ts';
import { marker } from '#ci/judge/choose-comment.ts';
import { shellWord } from '#lib/shell-word.ts';
import { type PullPage, renderComment } from '#report/check/comment.ts';
import { renderSarif } from '#report/check/sarif.ts';
import type { CiReport } from '#schema/ci-report.ts';
import type { Frames } from '#schema/frame.ts';
import { conclusionOf } from '#schema/verdict.ts';
import { type CheckedPulls, checkPulls } from './check-pulls.ts';
import { publishComment, publishSarif } from './publish.ts';

export interface CiWishes {
  readonly refs: readonly string[];
  readonly base: string | undefined;
  readonly flags: readonly Override[];
  readonly mode: CiReport['mode'];
  readonly wantsComment: boolean;
  readonly wantsSarif: boolean;
}

export interface CiAnswer {
  readonly report: CiReport;
  readonly frames: Frames;
  readonly page: PullPage;
}

/** One CI job: checks the pull requests, comments on the one the job is about, uploads SARIF for code scanning. */
export async function runInCi(around: Surroundings, forge: Forge, wishes: CiWishes): Promise<CiAnswer> {
  const checked = repeatable(forge, await checkPulls(around, forge, wishes));
  const page = pageOf(forge, checked);
  const comment = wishes.wantsComment ? await sayOnPull(forge, checked, page) : none;
  const sarif = wishes.wantsSarif
    ? await publishSarif(forge, renderSarif(checked.report, { version: ownVersion() }))
    : none;
  const notes = [...page.notes, ...[comment.note, sarif.note].filter((note) => note !== null)];
  return {
    report: {
      schema: 'joinery/ci@1',
      status: checked.report.status,
      conclusion: conclusionOf(checked.report.status, checked.report.findings),
      mode: wishes.mode,
      forge: forge.name,
      base: checked.base,
      subject: checked.subject?.ref ?? null,
      pulls: [...checked.pulls],
      comment: comment.outcome,
      sarif: sarif.outcome,
      notes,
      check: checked.report,
    },
    frames: checked.frames,
    page: { ...page, notes },
  };
}

/** `joinery replay` knows reports of its own machine; who reads the comment has to fetch the commits first. */
function repeatable(forge: Forge, checked: CheckedPulls): CheckedPulls {
  const { report, pulls, base } = checked;
  const commandFor = (branches: readonly string[]) => {
    const sides = branches
      .filter((ref) => ref !== report.base.ref)
      .map((ref) => {
        const pull = pulls.find((each) => each.ref === ref);
        return pull
          ? { fetch: `+${forge.headOf(pull.number).replace(/^refs\//, '')}:${ref}`, name: ref }
          : { fetch: ref, name: `origin/${ref}` };
      });
    const fetched = [base, ...sides.map(({ fetch }) => fetch)].map(shellWord);
    const names = [`origin/${base}`, ...sides.map(({ name }) => name)].map(shellWord);
    return `git fetch origin ${fetched.join(' ')} && joinery check ${names.join(' ')}`;
  };
  const findings = report.findings.map((finding) => ({
    ...finding,
    witness: { ...finding.witness, command: commandFor(finding.branches) },
  }));
  return { ...checked, report: { ...report, findings } };
}

const none = { outcome: 'none', note: null } as const;

/** Comments on an open pull request only; a merge queue's pull request already has the comment. */
async function sayOnPull(forge: Forge, { report, frames, subject }: CheckedPulls, page: PullPage) {
  if (subject === null || forge.occasion.kind !== 'pull') return none;
  if (!subject.isOpen)
    return {
      outcome: 'none',
      note: `${forge.markOf(subject.number)} was closed meanwhile: no comment`,
    } as const;
  return publishComment(forge, subject.number, {
    body: renderComment(report, frames, marker, page),
    hasFindings: report.findings.some(({ effect }) => effect !== 'hidden') || report.status !== 'pass',
  });
}

function pageOf(forge: Forge, { subject, pulls, notes }: CheckedPulls): PullPage {
  return {
    noun: forge.noun,
    subject: subject?.ref ?? null,
    pulls: pulls.map((pull) => ({
      ...pull,
      mark: forge.markOf(pull.number),
      link: forge.linkOf(pull.number),
    })),
    notes,
  };
}
