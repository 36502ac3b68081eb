import { join } from 'node:path';
import { type Consultant, openConsultant } from '#app/planning/consult-agent.ts';
import type { DefectPlace, gatesAt } from '#app/planning/defect-work.ts';
import type { ConsultWish, PlanRoom } from '#app/planning/plan-room.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { FileChange } from '#grounding/change/change.ts';
import type { OpenBranch } from '#grounding/judge/open-branch.ts';
import { familyOf } from '#review/consensus/consensus.ts';
import { governingGuides, mergeGuides } from '#review/guides/governing-guides.ts';
import { type TaskHints, taskTypeOf } from '#review/intent/task-type.ts';
import { memoriesOf, recalled } from '#review/memory/memories-of.ts';
import type { Answer, ReviewEffects, Reviewed, Seat } from '#review/review.ts';
import { reviewChange } from '#review/review-change.ts';
import type { ReviewReport } from '#schema/review.ts';
import type { ReviewSettings } from '#schema/run.ts';
import { openMemory } from './memory-here.ts';
import { mutationCheck, survivorLines } from './mutation-check.ts';
import { readChangeHere } from './open-here.ts';
import { orderBySeams } from './order-by-seams.ts';
import { proveFindings } from './prove-findings.ts';
import { riskOf } from './risk-here.ts';

/** A change without objections from code, and its reviewers. */
export interface BranchReview {
  readonly room: PlanRoom;
  readonly ask: ConsultWish;
  readonly open: OpenBranch;
  readonly cache: string;
  readonly branch: string;
  readonly baseRef: string;
  readonly seats: readonly Seat[];
  readonly place: Omit<DefectPlace, 'consultant'>;
  readonly definitions: Awaited<ReturnType<typeof gatesAt>>;
  readonly goal: string;
  readonly criteria: readonly string[];
  /** Hints at the kind of work, besides its files. */
  readonly hints: Omit<TaskHints, 'files'>;
  /** What the authors handed on. */
  readonly reported: string;
  readonly settings: Omit<ReviewSettings, 'reviewers'>;
  /** The number of this review's first question. */
  readonly firstNumber: number;
  /** The command that tries again. */
  readonly resume: string;
  /** Lets a run record every answer before it is used. */
  readonly through?: (consultant: Consultant) => Consultant;
  warn(line: string): void;
}

export type BranchReviewed = Reviewed & Pick<ReviewReport, 'order' | 'taskType' | 'mutants'>;

/** Runs reviewers, triage, proof and memory for one change. */
export async function reviewBranch(asking: BranchReview): Promise<BranchReviewed> {
  const { room, ask, open, cache, place, definitions, settings } = asking;
  const { repository, config, state } = room;
  const { change, read } = await readChangeHere(open);
  const order = await orderBySeams(
    (await riskOf(open, cache)).files.map(({ path }) => path),
    { repository, baseRef: asking.baseRef, tip: open.tip, cacheDir: cache, warn: asking.warn },
  );
  const taskType = taskTypeOf({ ...asking.hints, files: change.files.map(({ path }) => path) });
  const testGates = definitions.gates.filter(({ kind }) => kind === 'test');
  const mutants =
    settings.mutants > 0 && testGates.length > 0
      ? await mutationCheck(place, testGates, open, change.files, settings.mutants)
      : null;
  const tree = await repository.git.text(['rev-parse', '--verify', '--end-of-options', `${open.tip}^{tree}`]);
  const own = openConsultant({
    ...{ repository, config, env: place.env, folder: join(state, 'scratch'), tree },
    ...ask,
    agentOf: (role) => ask.roles[role] ?? ask.agent,
  });
  const consultant = asking.through?.(own) ?? own;
  const remember = recallFor(repository, place.env, change.files, order, read.after);
  try {
    const reviewed = await reviewChange(
      {
        subject: {
          branch: asking.branch,
          base: asking.baseRef,
          files: change.files,
          order,
          guides: await guidesOf(
            room,
            open,
            change.files.map(({ path }) => path),
          ),
          goal: asking.goal,
          criteria: asking.criteria,
          memory: remember.lines,
          type: taskType.type,
          reported: asking.reported,
          survivors: survivorLines(mutants),
        },
        roles: {
          reviewer: room.role('reviewer').text,
          assessor: room.role('assessor').text,
          auditors: {
            architecture: room.role('architecture-auditor').text,
            production: room.role('production-auditor').text,
          },
        },
        seats: asking.seats,
        mayRebut: settings.rebuttal,
        resume: asking.resume,
      },
      effectsOf(asking, consultant, testGates),
    );
    remember.keep(reviewed);
    return { order: [...order], taskType, mutants, ...reviewed };
  } finally {
    await consultant.close();
  }
}

function effectsOf(
  { settings, place, open, firstNumber, warn }: BranchReview,
  consultant: Consultant,
  testGates: BranchReview['definitions']['gates'],
): ReviewEffects {
  const wallMs = settings.timeoutSeconds * 1000;
  const look = { place: 'code', tier: 'strong' } as const;
  return {
    askReviewer: (seat, round, prompt): Promise<Answer> =>
      consultant.consult({
        ...{ role: 'reviewer', n: firstNumber + round, prompt, ...look },
        seat: { name: seat.name, agent: seat.agent, model: seat.model },
        wallMs,
      }),
    askAssessor: (n, prompt) => consultant.consult({ role: 'assessor', n: firstNumber + n, prompt, ...look }),
    askAuditor: settings.audit
      ? (route, prompt) =>
          consultant.consult({ role: `${route}-auditor`, n: firstNumber + 1, prompt, wallMs, ...look })
      : null,
    prove:
      settings.prove && testGates.length > 0
        ? (findings) =>
            proveFindings({ ...place, consultant }, testGates, open.tip, findings, firstNumber + 1)
        : null,
    log: warn,
  };
}

/** Notes of earlier reviews on these files, and the place for new ones; keyed by file content on the branch. */
function recallFor(
  repository: PlanRoom['repository'],
  env: NodeJS.ProcessEnv,
  files: readonly FileChange[],
  order: readonly string[],
  tip: GitTree,
) {
  const known = openMemory(repository, env, false);
  const words = [...order, ...files.flatMap(({ lines }) => lines.added.slice(0, 20).map(({ text }) => text))];
  const onBranch = (path: string) => tip.blob(path) ?? null;
  const lines = known ? recalled(known.search(words.join(' '), 50), onBranch) : [];
  known?.close();
  return {
    lines,
    keep(reviewed: Reviewed) {
      const memories = memoriesOf(reviewed, onBranch, new Date().toISOString());
      if (memories.length === 0) return;
      const store = openMemory(repository, env, true);
      store?.add(memories);
      store?.close();
    },
  };
}

/** The guides from the base: a branch must not write its reviewers' instructions. */
async function guidesOf({ repository }: PlanRoom, { tree, base }: OpenBranch, paths: readonly string[]) {
  const names = Map.groupBy(
    tree.matching((path) => path.endsWith('.md')),
    (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  );
  const namesIn = (folder: string) =>
    (names.get(folder) ?? []).map((path) => path.slice(path.lastIndexOf('/') + 1));
  const { guides } = mergeGuides(paths.map((path) => governingGuides(path, namesIn)));
  const texts = await readFilesAt(repository.git, base, guides);
  return guides.flatMap((path) => {
    const text = texts.get(path);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** Names the seats: `codex:gpt-5` twice gives `codex` and `codex-2`. */
export function seatsOf(reviewers: readonly string[]): Seat[] {
  const counts = new Map<string, number>();
  return reviewers.map((typed) => {
    const [agent = '', model = null] = typed.split(':');
    const number = (counts.get(agent) ?? 0) + 1;
    counts.set(agent, number);
    return {
      name: number === 1 ? agent : `${agent}-${number}`,
      agent,
      model,
      family: familyOf(agent, model),
    };
  });
}

export function twoOf(agent: string): Seat[] {
  return [agent, `${agent}-2`].map((name) => ({ name, agent, model: null, family: familyOf(agent, null) }));
}
