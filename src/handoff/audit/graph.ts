import type { AuditReport, AuditStatus } from '#schema/audit.ts';
import { type AuditedAgent, type CheckedOutput, isUpstream } from './agents.ts';

type Graph = Pick<
  AuditReport,
  | 'score'
  | 'status'
  | 'possibleEdges'
  | 'actualEdges'
  | 'edges'
  | 'gaps'
  | 'missingOutputs'
  | 'backward'
  | 'orphans'
> & { readonly perAgent: ReadonlyMap<string, AgentFigures> };

export interface AgentFigures {
  /** Outputs that an agent which took part could cite. */
  readonly outputs: number;
  readonly cited: number;
  readonly citationsIn: number;
  readonly citationsOut: number;
}

/** Rounds half up, to whole numbers: 7 of 9 is 78. */
export function percentOf(part: number, whole: number): number {
  return Math.floor((200 * part + whole) / (2 * whole));
}

export function statusOf(score: number | null): AuditStatus {
  if (score === null) return 'n/a';
  if (score >= 90) return 'Healthy';
  if (score >= 70) return 'Normal';
  return score >= 50 ? 'Suspicious' : 'Theater';
}

/** Below this percentage of cited outputs an agent's work was ignored; a single output is too few to tell. */
const orphanDensity = 20;
const orphanOutputs = 2;

/** Who handed what to whom, and who cited it: the data of the Coordination Score. */
export function graphOf(agents: readonly AuditedAgent[]): Graph {
  const citations = new Citations(agents);
  const directory = new Directory(agents);
  const nodes = agents.map((agent): Node => ({ agent, pairs: pairsOf(agent, directory, citations) }));
  const pairs = nodes.flatMap((node) => node.pairs);
  const forward = pairs.filter(({ isForward }) => isForward);
  const missingOutputs = nodes.flatMap((node) => missingOf(node, directory));
  const actual = forward.filter(({ isCited }) => isCited).length;
  // Only what was addressed can be cited: an output that nobody declared is a finding.
  const possible = forward.length;
  const score = possible === 0 ? null : percentOf(actual, possible);
  const perAgent = new Map(nodes.map((node) => [node.agent.id, figuresOf(node, citations)]));
  return {
    score,
    status: statusOf(score),
    possibleEdges: possible,
    actualEdges: actual,
    edges: forward.map(({ from, to, output, isCited }) => ({
      from: from.id,
      to,
      output: output.ref,
      isCited,
    })),
    gaps: gapsOf(forward),
    missingOutputs,
    backward: pairs
      .filter(({ isForward }) => !isForward)
      .map(({ to, isCited, ...pair }) => ({ ...placeOf(pair), addressedTo: to, isCited })),
    orphans: agents.flatMap((agent) => orphanOf(agent, perAgent.get(agent.id))),
    perAgent,
  };
}

/** Resolves names to agents. */
class Directory {
  readonly #byName = new Map<string, AuditedAgent[]>();

  constructor(agents: readonly AuditedAgent[]) {
    for (const agent of agents) {
      for (const name of new Set(agent.names)) {
        const same = this.#byName.get(name);
        if (same) same.push(agent);
        else this.#byName.set(name, [agent]);
      }
    }
  }

  /** Whether another agent has that name. */
  knows(name: string, except: AuditedAgent): boolean {
    const same = this.#byName.get(name) ?? [];
    return same.length > 1 || (same.length === 1 && same[0] !== except);
  }

  /** Whether an agent with that name works later. */
  isAhead(name: string, from: AuditedAgent): boolean {
    return (this.#byName.get(name) ?? []).some((agent) => agent !== from && isUpstream(from, agent));
  }
}

/** Who cited what. Incomplete records and citations that do not resolve are ignored. */
class Citations {
  readonly #by = new Map<string, Set<AuditedAgent>>();

  constructor(agents: readonly AuditedAgent[]) {
    for (const agent of agents) {
      if (!agent.record?.isComplete) continue;
      for (const { ref, state } of agent.record.inputs) {
        if (state === 'missing-file' || state === 'invalid') continue;
        const citing = this.#by.get(ref);
        if (citing) citing.add(agent);
        else this.#by.set(ref, new Set([agent]));
      }
    }
  }

  /** Every agent except its maker that cited it. */
  of(ref: string, maker: AuditedAgent): AuditedAgent[] {
    return [...(this.#by.get(ref) ?? [])].filter((agent) => agent !== maker);
  }
}

/** An agent and what it addressed to others that took part. */
interface Node {
  readonly agent: AuditedAgent;
  readonly pairs: readonly Pair[];
}

/** An output and one of its addressees that took part. */
interface Pair {
  readonly from: AuditedAgent;
  readonly to: string;
  readonly output: CheckedOutput;
  readonly isForward: boolean;
  readonly isCited: boolean;
}

function pairsOf(from: AuditedAgent, directory: Directory, citations: Citations): Pair[] {
  const ahead = new Map<string, boolean>();
  const isAhead = (name: string) => {
    const known = ahead.get(name) ?? directory.isAhead(name, from);
    ahead.set(name, known);
    return known;
  };
  return outputsOf(from).flatMap((output) => {
    const citing = citations.of(output.ref, from);
    return output.to
      .filter((to) => directory.knows(to, from))
      .map((to) => ({
        from,
        to,
        output,
        isForward: isAhead(to),
        isCited: citing.some(({ names }) => names.includes(to)),
      }));
  });
}

/** Duplicates count once; an output that does not resolve cannot be handed on. */
function outputsOf({ record }: AuditedAgent): CheckedOutput[] {
  const byRef = new Map<string, CheckedOutput>();
  for (const output of record?.outputs ?? []) {
    if (output.state === 'missing-file' || output.state === 'invalid') continue;
    const known = byRef.get(output.ref);
    byRef.set(output.ref, known ? { ...known, to: [...new Set([...known.to, ...output.to])] } : output);
  }
  return [...byRef.values()];
}

function placeOf({ from, output }: Pick<Pair, 'from' | 'output'>) {
  return { agent: from.id, output: output.ref, file: output.file, line: output.line };
}

function missingOf({ agent, pairs }: Node, directory: Directory): AuditReport['missingOutputs'] {
  if (agent.handsOnTo.length === 0) return [];
  const addressed = new Set(pairs.map(({ to }) => to));
  return agent.handsOnTo
    .filter((to) => !addressed.has(to) && directory.isAhead(to, agent))
    .map((to) => ({ agent: agent.id, to, file: agent.files[0] ?? '' }));
}

function gapsOf(forward: readonly Pair[]): AuditReport['gaps'] {
  const byOutput = Map.groupBy(forward, ({ output }) => output);
  return [...byOutput.values()]
    .filter((pairs) => !pairs.some(({ isCited }) => isCited))
    .flatMap(([first, ...rest]) =>
      first ? [{ ...placeOf(first), addressedTo: [first, ...rest].map(({ to }) => to) }] : [],
    );
}

function figuresOf({ agent, pairs }: Node, citations: Citations): AgentFigures {
  const own = new Set(pairs.map(({ output }) => output));
  const counts = [...own].map(({ ref }) => citations.of(ref, agent).length);
  const inputs = agent.record?.isComplete ? agent.record.inputs : [];
  return {
    outputs: own.size,
    cited: counts.filter((count) => count > 0).length,
    citationsIn: new Set(inputs.filter(({ state }) => state === 'ok').map(({ ref }) => ref)).size,
    citationsOut: counts.reduce((sum, count) => sum + count, 0),
  };
}

function orphanOf(agent: AuditedAgent, figures: AgentFigures | undefined): AuditReport['orphans'] {
  if (!figures) return [];
  const { outputs, cited } = figures;
  const density = outputs === 0 ? null : percentOf(cited, outputs);
  const unused = outputs - cited;
  if (!agent.mayStart && agent.record?.none.includes('inputs') && agent.record.inputs.length === 0)
    return [{ agent: agent.id, why: 'no-inputs', density, unused }];
  const isIgnored = outputs >= orphanOutputs && cited * 100 < orphanDensity * outputs;
  return isIgnored && !agent.isTerminal ? [{ agent: agent.id, why: 'ignored', density, unused }] : [];
}
