import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import {
  type Design,
  designPlan,
  type Finish,
  finishPlan,
  type PlanInput,
  planKey,
} from '#planning/plan-spec.ts';
import type { SpecBundle, SpecFile } from '#planning/spec/spec.ts';
import { AgentConfig } from '#schema/agent.ts';
import type { Consultation, Guardian, PlanReport } from '#schema/planning.ts';
import { guardDocument, visionOf } from './guard-document.ts';
import { planFileOf, refuseEdited, writePlan } from './plan-file.ts';
import { agentFor, type ConsultWish, type PlanRoom } from './plan-room.ts';
import { auditSpecFile } from './spec-files.ts';

export interface PlanWish extends ConsultWish {
  readonly cwd: string;
  /** As typed. */
  readonly spec: string;
  readonly out: string | undefined;
  readonly force: boolean;
  readonly order: Finish['order'];
  readonly skipAudit: boolean;
  readonly skipGuardian: boolean;
  /** As typed; undefined: the one from the config. */
  readonly vision: string | undefined;
  /** Additional context for the architect, from a person. */
  readonly context?: string;
}

/** Spec → plan file. Agents are asked only when something their answers depend on has changed. */
export async function makePlan(room: PlanRoom, wish: PlanWish): Promise<PlanReport> {
  const spec = room.spec(wish.spec);
  const file = wish.out === undefined ? join(room.root, planFileOf(spec.path)) : resolve(wish.cwd, wish.out);
  const named = relative(wish.cwd, file) || file;
  refuseEdited(file, named, wish.force);
  const audit = wish.skipAudit ? null : auditSpecFile(room.root, spec, room.config.planning.maxTasks);
  const vision = wish.skipGuardian ? null : visionOf(room, wish.vision);
  const input: PlanInput = {
    spec,
    role: room.role('architect').text,
    outline: await room.outline(spec),
    guides: await room.guides(),
    limits: room.config.planning,
    ...(wish.context ? { context: wish.context } : {}),
  };
  const key = planKey(input, {
    tree: room.tree,
    guardian: vision && { role: room.role('guardian').text, vision: vision.text },
    agents: agentsOf(room, wish),
  });
  const begun: PlanReport = {
    schema: 'joinery/planning@1',
    status: 'refused',
    reason: '',
    file: null,
    isCached: false,
    key,
    base: room.base,
    plan: null,
    audit,
    guardian: null,
    problems: [],
    decomposition: [],
    uncovered: [],
    price: null,
    degraded: skipped(room, wish),
    consultations: [],
  };
  if (audit?.status === 'fail') return { ...begun, reason: 'the spec does not pass its audit' };
  const kept = wish.force ? null : readKept(room, key);
  const made = kept ?? (await askAgents(room, wish, input, vision));
  if (kept === null && made.design?.status === 'designed') keep(room, key, made);
  const report = {
    ...begun,
    guardian: made.guardian,
    isCached: kept !== null,
    consultations: kept === null ? [...made.consultations] : [],
  };
  const { guardian, design } = made;
  if (guardian?.status === 'rejected')
    return { ...report, status: 'needs_human', reason: `the guardian rejects the spec: ${guardian.summary}` };
  if (guardian?.status === 'inconclusive' || design === null)
    return { ...report, status: 'inconclusive', reason: guardian?.summary ?? '' };
  const finished = reportOf(room, spec, design, report, wish.order);
  if (finished.status !== 'planned' || finished.plan === null) return finished;
  writePlan(file, finished.plan);
  return { ...finished, file: named };
}

/** The agents' results, cached until an input changes. */
interface Made {
  readonly guardian: Guardian | null;
  /** Null if the guardian stopped the plan first. */
  readonly design: Design | null;
  readonly consultations: readonly Consultation[];
}

function skipped({ config }: PlanRoom, { skipAudit, skipGuardian }: PlanWish): string[] {
  return [
    ...(skipAudit ? ['the audit of the spec was skipped'] : []),
    ...(skipGuardian && config.planning.vision !== undefined ? ['the guardian was skipped'] : []),
  ];
}

async function askAgents(
  room: PlanRoom,
  wish: PlanWish,
  input: PlanInput,
  vision: SpecFile | null,
): Promise<Made> {
  const guarded = vision && (await guardDocument(room, wish, vision, input.spec));
  const guardian = guarded?.guardian ?? null;
  const before = guarded?.consultations ?? [];
  if (guardian?.status === 'rejected' || guardian?.status === 'inconclusive')
    return { guardian, design: null, consultations: before };
  const { consult, close } = room.consultant(wish);
  try {
    const design = await designPlan(input, { consult, readCode: room.readCode });
    return { guardian, design, consultations: [...before, ...design.consultations] };
  } finally {
    await close();
  }
}

function reportOf(
  room: PlanRoom,
  spec: SpecBundle,
  design: Design,
  begun: PlanReport,
  order: Finish['order'],
): PlanReport {
  const decomposition = [...design.decomposition];
  if (design.status !== 'designed') {
    const { status, reason, problems, plan } = design;
    return { ...begun, status, reason, problems: [...problems], plan, decomposition };
  }
  const { plan, price, uncovered } = finishPlan(design, spec, {
    past: room.past(),
    width: room.config.run.parallel,
    order,
    key: begun.key,
  });
  const unread = design.code.unread.map(({ path, reason }) => `${path} cannot be read as code: ${reason}`);
  return {
    ...begun,
    status: 'planned',
    plan,
    price,
    decomposition,
    uncovered: [...uncovered],
    degraded: [...begun.degraded, ...unread],
  };
}

/** Part of the cache key: other agents give other answers. */
function agentsOf({ config }: PlanRoom, wish: ConsultWish): Record<string, string> {
  const asked = ['architect', 'guardian'].map((role) => {
    const agent = agentFor(wish, role);
    const { models, command, args } = config.agents[agent] ?? AgentConfig.parse({});
    return [role, JSON.stringify([agent, wish.model ?? models, command ?? null, args])] as const;
  });
  return { ...Object.fromEntries(asked), scenario: JSON.stringify(wish.scenario) };
}

function keptFile({ cache }: PlanRoom, key: string): string {
  return join(cache, 'plans', `${key}.json`);
}

function readKept(room: PlanRoom, key: string): Made | null {
  try {
    const made = JSON.parse(readFileSync(keptFile(room, key), 'utf8')) as Made;
    return made.design?.status === 'designed' ? made : null;
  } catch {
    // A plan that is missing or damaged is made again.
    return null;
  }
}

function keep(room: PlanRoom, key: string, made: Made): void {
  const file = keptFile(room, key);
  mkdirSync(join(room.cache, 'plans'), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(made));
  renameSync(`${file}.${process.pid}`, file);
}
