import { z } from 'zod';
import type { RunRoom } from '#app/runs/run-room.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { nearest } from '#lib/nearest.ts';
import { rulesReport } from '#report/check/explain.ts';
import { CheckReport } from '#schema/check-report.ts';
import { ClaimsReport } from '#schema/claims-report.ts';
import { RulesReport } from '#schema/command-reports.ts';
import { UsageError } from '#schema/errors.ts';
import { EvidenceCheckReport, GatesReport } from '#schema/gates.ts';
import { GroundReport } from '#schema/grounding.ts';
import { rules } from '#schema/rules.ts';
import { QuestionsReport, RunReport } from '#schema/run.ts';
import { tool } from './tool.ts';

const workspacePath = z
  .string()
  .optional()
  .describe('Absolute path of the repository. Default: the folder the server was started in.');

/** Loads what a tool needs when it is called: the list of tools must be available at once. */
async function inRuns<T>(here: Surroundings, body: (room: RunRoom) => Promise<T>): Promise<T> {
  const { withRuns } = await import('#app/runs/run-room.ts');
  return withRuns(here, body);
}

/** Wraps a report as the tool's output. */
function reportOf<T extends z.ZodType>(report: T) {
  return z.object({ status: z.string(), report });
}

const checkTool = tool({
  name: 'check',
  title: 'Check that branches fit together',
  description:
    'Proves whether branches fit together before they are merged: interfaces, schemas, names, contracts, text conflicts. Reads only. Name two or more branches, or none for all unmerged ones.',
  input: z.strictObject({
    branches: z.array(z.string()).default([]).describe('Branches, commits or paths of worktrees.'),
    base: z
      .string()
      .optional()
      .describe("What they are compared with. Default: the repository's default branch."),
    workspacePath,
  }),
  output: reportOf(CheckReport),
  isReadOnly: true,
  async run({ branches, base, workspacePath: at }, call) {
    const { baseOverride, checkHere } = await import('#app/checks/check-here.ts');
    const { report } = await checkHere(call.at(at), {
      names: branches,
      hasBase: true,
      against: undefined,
      flags: base === undefined ? [] : [baseOverride(base)],
    });
    return { status: report.status, report };
  },
});

const explainTool = tool({
  name: 'explain',
  title: 'Explain a rule',
  description:
    'What a rule of check looks for, with its severity and languages. Without a rule: all of them.',
  input: z.strictObject({ rule: z.string().optional().describe('Id or name: S01.') }),
  output: RulesReport,
  isReadOnly: true,
  async run({ rule }) {
    if (rule === undefined) return rulesReport(rules);
    const wanted = rule.toLowerCase();
    const found = rules.find(({ id, name }) => id.toLowerCase() === wanted || name === wanted);
    if (found) return rulesReport([found]);
    const meant = nearest(
      rule,
      rules.flatMap(({ id, name }) => [id, name]),
    );
    throw new UsageError({
      code: 'unknown-rule',
      message: `there is no rule ${JSON.stringify(rule)}`,
      hint: meant === null ? 'call explain without a rule' : `did you mean ${meant}?`,
    });
  },
});

const groundTool = tool({
  name: 'ground',
  title: "Check that a branch's work is real",
  description:
    'Checks one branch without a model: in scope, tested, nothing faked, no test weakened. Reads only.',
  input: z.strictObject({
    branch: z.string().default('HEAD'),
    files: z.array(z.string()).optional().describe('Files the work may touch.'),
    workspacePath,
  }),
  output: reportOf(GroundReport),
  isReadOnly: true,
  async run({ branch, files, workspacePath: at }, call) {
    const report = await (await import('#app/proof/ground-here.ts')).groundHere(call.at(at), {
      branch,
      files: files ?? null,
      plan: undefined,
      task: undefined,
      flags: [],
    });
    return { status: report.status, report };
  },
});

const gatesTool = tool({
  name: 'gates',
  title: 'Run the quality gates',
  description:
    'Runs the gates of the project (lint, types, tests) on the checkout and records evidence for what passes.',
  input: z.strictObject({ mode: z.enum(['fast', 'full']).default('fast'), workspacePath }),
  output: reportOf(GatesReport),
  isReadOnly: false,
  runsCommands: true,
  async run({ mode, workspacePath: at }, call) {
    const report = await (await import('#app/proof/gates-here.ts')).gatesHere(call.at(at), {}, mode);
    return { status: report.status, report };
  },
});

const evidenceTool = tool({
  name: 'evidence',
  title: 'Is a claim covered by evidence?',
  description:
    'Whether recorded evidence for the current files covers a claim ("tests pass"), or the claims of a text.',
  input: z.strictObject({
    claim: z.enum(['lint', 'typecheck', 'test', 'build']).optional(),
    notes: z.string().optional().describe('A text whose claims are checked.'),
    workspacePath,
  }),
  output: reportOf(EvidenceCheckReport),
  isReadOnly: true,
  async run({ claim, notes, workspacePath: at }, call) {
    const report = await (await import('#app/proof/evidence-here.ts')).checkClaimsHere(
      call.at(at),
      {},
      { claim, notes: notes ?? '' },
    );
    return { status: report.status, report };
  },
});

const statusTool = tool({
  name: 'status',
  title: 'Status of a run',
  description: 'The state of a run: its tasks, open questions and cost. Without a run: the newest.',
  input: z.strictObject({ run: z.string().optional(), workspacePath }),
  output: reportOf(RunReport),
  isReadOnly: true,
  run: ({ run, workspacePath: at }, call) =>
    inRuns(call.at(at), async (room) => {
      const { reportRun } = await import('#app/runs/report-run.ts');
      const { report } = await reportRun(room, room.choose(run));
      return { status: report.status, report };
    }),
});

const questionsTool = tool({
  name: 'questions',
  title: 'Open questions',
  description:
    'What needs a person: the open questions of all runs, with their options. Answering is for a person.',
  input: z.strictObject({ run: z.string().optional(), workspacePath }),
  output: QuestionsReport,
  isReadOnly: true,
  run: ({ run, workspacePath: at }, call) =>
    inRuns(call.at(at), async (room) => {
      const { listQuestions } = await import('#app/runs/answer-question.ts');
      return {
        schema: 'joinery/questions@1' as const,
        questions: await listQuestions(room, { run, all: false }),
      };
    }),
});

const claimsTool = tool({
  name: 'claims',
  title: 'What other tasks are changing',
  description:
    'Which files the tasks of a run have declared or changed, so that you can keep out of their way. With path: who touches it.',
  input: z.strictObject({
    run: z.string().optional().describe('Default: all unfinished runs.'),
    path: z.string().optional(),
    workspacePath,
  }),
  output: ClaimsReport,
  isReadOnly: true,
  run: ({ run, path, workspacePath: at }, call) =>
    inRuns(call.at(at), async (room) => {
      const { changesOfRuns } = await import('#app/runs/changes-of-runs.ts');
      return changesOfRuns(room, { run, path });
    }),
});

export const productTools = [
  checkTool,
  explainTool,
  groundTool,
  gatesTool,
  evidenceTool,
  statusTool,
  questionsTool,
  claimsTool,
];
