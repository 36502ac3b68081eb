import { mechanical } from '#check/findings/owner.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { Clash } from '#schema/run.ts';
import { holdsBack, isWorthTelling } from '#schema/verdict.ts';

/** What a task is checked together with. */
export interface Company {
  /** The task whose work is checked, and its branch in the check. */
  readonly task: string;
  readonly ref: string;
  /** Accepted work as one branch; null if there is none beside the task. */
  readonly accepted: {
    readonly ref: string;
    tasksOf(file: string): readonly string[];
    /** When accepted work has to move: whenever `check` says so; less often, or never, for a task that was built on it. */
    readonly moves: 'as-named' | 'if-mechanical' | 'never';
  } | null;
  /** Branches of tasks that have commits and are not accepted. */
  readonly inFlight: ReadonlyMap<string, string>;
  /** The target branch, if it has moved and is checked too. */
  readonly target?: string;
}

export interface Judgement {
  /** What the task has to change before its work is merged. */
  readonly own: readonly Clash[];
  /** Messages for tasks in flight, by task. */
  readonly told: readonly { readonly task: string; readonly clash: Clash }[];
  /** What accepted work has to change first: its owners. */
  readonly accepted: readonly Clash[];
  /** Important, and no reason to hold the work back: told in the log and in the report. */
  readonly shown: readonly Clash[];
}

/** The findings, and why they may be incomplete; null if they are complete. */
export interface Judged {
  readonly judgement: Judgement;
  readonly unclear: string | null;
}

/**
 * Decides who changes: the owner named by `check`, even if its work was accepted. A finding about work in flight goes to
 * its owner before either task is finished, which is cheaper than a later rework.
 */
export function judgeClashes({ findings }: Pick<CheckReport, 'findings'>, company: Company): Judgement {
  const own: Clash[] = [];
  const told: { task: string; clash: Clash }[] = [];
  const accepted: Clash[] = [];
  const shown: Clash[] = [];
  const { task, ref, inFlight } = company;
  for (const finding of findings) {
    if (isWorthTelling(finding) && finding.branches.includes(ref))
      shown.push(clashOf(finding, company, null));
    // Text conflicts are found by merging.
    if (!holdsBack(finding) || finding.rule === 'T01') continue;
    const isMine = finding.branches.includes(ref);
    const flying = finding.branches.filter((branch) => inFlight.has(branch));
    const ownerInFlight = inFlight.get(finding.owner ?? '');
    if (flying.length > 0) {
      if (ownerInFlight !== undefined)
        told.push({ task: ownerInFlight, clash: clashOf(finding, company, ownerInFlight) });
      else if (isMine && finding.owner === ref) own.push(clashOf(finding, company, task));
    } else if (isMine) {
      // Accepted work is not reopened for what nobody has judged.
      const isSure = finding.effect === 'stops';
      const theirs = isSure && isTheirs(finding, company) ? clashOf(finding, company, null) : null;
      if (theirs?.owner) accepted.push(theirs);
      else own.push(clashOf(finding, company, task));
    }
  }
  return { own, told, accepted, shown };
}

function isTheirs({ owner, ownerReason }: Finding, { accepted }: Company): boolean {
  if (accepted === null || owner !== accepted.ref || accepted.moves === 'never') return false;
  return accepted.moves === 'as-named' || ownerReason === mechanical;
}

const unknownTask = 'accepted work';

/** The finding with tasks instead of branches. `owner` null: the accepted task that owns the file, if it is known. */
export function clashOf(finding: Finding, company: Company, owner: string | null): Clash {
  const { task, ref, accepted, inFlight, target } = company;
  const tasksAt = (branch: string, file: string): readonly string[] => {
    if (branch === ref) return [task];
    if (branch === target) return [target];
    const flying = inFlight.get(branch);
    if (flying !== undefined) return [flying];
    const owners = branch === accepted?.ref ? accepted.tasksOf(file) : [];
    return owners.length > 0 ? owners : [unknownTask];
  };
  const sites = finding.sites.flatMap(({ branch, file, line, role }) =>
    tasksAt(branch, file).map((each) => ({ branch, task: each, file, line, role })),
  );
  const tasks = [...new Set(sites.map((site) => site.task))];
  const named = finding.branches.reduce((text, branch) => {
    const names = [...new Set(sites.filter((site) => site.branch === branch).map((site) => site.task))];
    return names.length === 0 || branch === target
      ? text
      : text.replaceAll(branch, `task ${names.join(' and ')}`);
  }, finding.message);
  const theirs =
    sites.find((site) => site.branch === accepted?.ref && site.task !== unknownTask)?.task ?? null;
  return {
    id: finding.id,
    cause: finding.rootCause,
    rule: finding.rule,
    message: named,
    tasks,
    owner: owner ?? theirs,
    ...(target !== undefined && tasks.includes(target) ? { target } : {}),
    sites: sites.map(({ branch: _, ...site }) => site),
    witness: { command: finding.witness.command, output: finding.witness.output.slice(0, 2000) },
    suggestion: finding.suggestion,
    ...(finding.effect === 'asks' ? { effect: 'asks' as const } : {}),
  };
}
