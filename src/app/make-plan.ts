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
import type { SpecBundle } from '#planning/spec/spec.ts';
import { AgentConfig } from '#schema/agent.ts';
import type { PlanReport } from '#schema/planning.ts';
import { planFileOf, refuseEdited, writePlan } from './plan-file.ts';
import type { ConsultWish, PlanRoom } from './plan-room.ts';

export interface PlanWish extends ConsultWish {
  readonly cwd: string;
  /** As typed. */
  readonly spec: string;
  readonly out: string | undefined;
  readonly force: boolean;
  readonly order: Finish['order'];
}

/** Spec → plan file. The architect is asked only when something it depends on has changed. */
export async function makePlan(room: PlanRoom, wish: PlanWish): Promise<PlanReport> {
  const spec = room.spec(wish.spec);
  const file = wish.out === undefined ? join(room.root, planFileOf(spec.path)) : resolve(wish.cwd, wish.out);
  const named = relative(wish.cwd, file) || file;
  refuseEdited(file, named, wish.force);
  const input: PlanInput = {
    spec,
    role: room.role('architect').text,
    outline: await room.outline(spec),
    limits: room.config.planning,
  };
  const key = planKey(input, { tree: room.tree, guardian: null, agents: agentsOf(room, wish) });
  const kept = wish.force ? null : readKept(room, key);
  const design = kept ?? (await askArchitect(room, wish, input));
  if (kept === null && design.status === 'designed') keep(room, key, design);
  const report = reportOf(room, spec, design, { ...wish, key, isCached: kept !== null });
  if (report.plan === null || report.status !== 'planned') return report;
  writePlan(file, report.plan);
  return { ...report, file: named };
}

async function askArchitect(room: PlanRoom, wish: PlanWish, input: PlanInput): Promise<Design> {
  const { consult, close } = room.consultant(wish);
  try {
    return await designPlan(input, { consult, readCode: room.readCode });
  } finally {
    await close();
  }
}

function reportOf(
  room: PlanRoom,
  spec: SpecBundle,
  design: Design,
  { key, isCached, order }: { key: string; isCached: boolean; order: Finish['order'] },
): PlanReport {
  const common = {
    schema: 'joinery/planning@1' as const,
    file: null,
    isCached,
    key,
    base: room.base,
    audit: null,
    guardian: null,
    decomposition: [...design.decomposition],
    consultations: isCached ? [] : [...design.consultations],
  };
  if (design.status !== 'designed') {
    const { status, reason, problems, plan } = design;
    return {
      ...common,
      status,
      reason,
      problems: [...problems],
      plan,
      uncovered: [],
      price: null,
      degraded: [],
    };
  }
  const { plan, price, uncovered } = finishPlan(design, spec, {
    past: room.past(),
    width: room.config.run.parallel,
    order,
    key,
  });
  return {
    ...common,
    status: 'planned',
    reason: '',
    plan,
    price,
    problems: [],
    uncovered: [...uncovered],
    degraded: design.code.unread.map(({ path, reason }) => `${path} cannot be read as code: ${reason}`),
  };
}

/** Who answers decides what is answered. */
function agentsOf({ config }: PlanRoom, { agent, scenario }: ConsultWish): Record<string, string> {
  const { models, command, args } = config.agents[agent] ?? AgentConfig.parse({});
  return {
    agent,
    models: JSON.stringify([models, command ?? null, args]),
    scenario: JSON.stringify(scenario),
  };
}

function keptFile({ cache }: PlanRoom, key: string): string {
  return join(cache, 'plans', `${key}.json`);
}

function readKept(room: PlanRoom, key: string): Design | null {
  try {
    const { design } = JSON.parse(readFileSync(keptFile(room, key), 'utf8')) as { design: Design };
    return design.status === 'designed' ? design : null;
  } catch {
    // A plan that was not kept, or not whole, is made again.
    return null;
  }
}

function keep(room: PlanRoom, key: string, design: Design): void {
  const file = keptFile(room, key);
  mkdirSync(join(room.cache, 'plans'), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ design }));
  renameSync(`${file}.${process.pid}`, file);
}
