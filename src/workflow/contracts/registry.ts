import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '#lib/canonical-json.ts';
import type { JsonSchema } from '#schema/compiled-workflow.ts';
import {
  CodingHandoff,
  DiscoveryHandoff,
  GateVerdict,
  LoopDecision,
  ReviewVerdict,
  ShapingHandoff,
} from '#schema/phase-handoffs.ts';
import {
  AssessmentArtifact,
  CoordinatorSignalArtifact,
  DifferentiationArtifact,
} from '#schema/workflow-artifacts.ts';

/** What a step must submit: one artifact of a kind, with an example that is accepted. */
export interface OutputContract {
  readonly ref: string;
  /** The value of the artifact's `kind` field. */
  readonly kind: string;
  readonly schema: z.ZodType;
  readonly example: Readonly<Record<string, unknown>>;
  /** One line for the agent. */
  readonly purpose: string;
}

const registered = new Map<string, OutputContract>();

/** Call this before compiling anything that uses the contract. Refuses the same reference with another schema. */
export function registerOutputContract(contract: OutputContract): void {
  const known = registered.get(contract.ref);
  if (known && schemaHash(known) !== schemaHash(contract))
    throw new Error(`contract ${contract.ref} is registered with another schema`);
  registered.set(contract.ref, contract);
}

export function outputContract(ref: string): OutputContract | null {
  return registered.get(ref) ?? null;
}

export function outputContracts(): readonly OutputContract[] {
  return [...registered.values()];
}

/** Part of the hash of every workflow that uses it. */
export function schemaHash(contract: OutputContract): string {
  return hashOf(jsonSchemaOf(contract));
}

export function jsonSchemaOf({ schema }: OutputContract): JsonSchema {
  return z.toJSONSchema(schema, { unrepresentable: 'any' });
}

/** The schema for a run that started with `pinned`: that one, even if the contract has another one now. */
export function schemaFor(contract: OutputContract, pinned: JsonSchema | undefined): z.ZodType {
  return pinned === undefined || hashOf(pinned) === schemaHash(contract)
    ? contract.schema
    : z.fromJSONSchema(pinned as z.core.JSONSchema.JSONSchema);
}

function hashOf(schema: JsonSchema): string {
  return createHash('sha256').update(canonicalJson(schema)).digest('hex');
}

const own: readonly OutputContract[] = [
  {
    ref: 'wr.contracts.assessment',
    kind: 'wr.assessment',
    schema: AssessmentArtifact,
    purpose: 'a judgement: a level for each dimension, with the reason',
    example: {
      kind: 'wr.assessment',
      summary: 'one sentence',
      dimensions: { confidence: { level: 'high', rationale: 'what it rests on' } },
    },
  },
  {
    ref: 'wr.contracts.loop_control',
    kind: 'wr.loop_control',
    schema: LoopDecision,
    purpose: 'whether this loop continues',
    example: {
      kind: 'wr.loop_control',
      decision: 'stop',
      metadata: { reason: 'nothing is left to improve' },
    },
  },
  {
    ref: 'wr.contracts.coordinator_signal',
    kind: 'wr.coordinator_signal',
    schema: CoordinatorSignalArtifact,
    purpose: 'a message for the coordinator of this work',
    example: { kind: 'wr.coordinator_signal', signalKind: 'progress', payload: { done: '2 of 5' } },
  },
  {
    ref: 'wr.contracts.review_verdict',
    kind: 'wr.review_verdict',
    schema: ReviewVerdict,
    purpose: 'the result of a review',
    example: {
      kind: 'wr.review_verdict',
      verdict: 'minor',
      confidence: 'high',
      summary: 'works, one name is unclear',
      findings: [{ severity: 'nit', summary: 'rename x', findingCategory: 'style', file: 'src/a.ts' }],
    },
  },
  {
    ref: 'wr.contracts.discovery_handoff',
    kind: 'wr.discovery_handoff',
    schema: DiscoveryHandoff,
    purpose: 'what discovery found and chose',
    example: {
      kind: 'wr.discovery_handoff',
      version: 1,
      selectedDirection: 'cache results by content hash',
      designDocPath: 'docs/design/cache.md',
      confidenceBand: 'high',
      keyInvariants: ['a stale entry is never served'],
    },
  },
  {
    ref: 'wr.contracts.shaping_handoff',
    kind: 'wr.shaping_handoff',
    schema: ShapingHandoff,
    purpose: 'the shaped piece of work',
    example: {
      kind: 'wr.shaping_handoff',
      version: 1,
      pitchPath: 'docs/pitches/cache.md',
      selectedShape: 'one table, filled on demand',
      appetite: 'two days',
      keyConstraints: ['no new service'],
      rabbitHoles: ['sharing between machines'],
      outOfScope: ['a user interface'],
      validationChecklist: ['the second run parses nothing'],
    },
  },
  {
    ref: 'wr.contracts.coding_handoff',
    kind: 'wr.coding_handoff',
    schema: CodingHandoff,
    purpose: 'what was built',
    example: {
      kind: 'wr.coding_handoff',
      version: 1,
      keyDecisions: ['the key holds the version of the parser'],
      knownLimitations: [],
      testsAdded: ['src/cache.test.ts'],
      filesChanged: ['src/cache.ts'],
    },
  },
  {
    ref: 'wr.contracts.gate_verdict',
    kind: 'wr.gate_verdict',
    schema: GateVerdict,
    purpose: 'whether the work of a step may pass',
    example: {
      kind: 'wr.gate_verdict',
      version: 1,
      verdict: 'approved',
      confidence: 'high',
      rationale: 'the plan names a test for each criterion',
    },
  },
  {
    ref: 'wr.contracts.differentiation_handoff',
    kind: 'wr.differentiation_handoff',
    schema: DifferentiationArtifact,
    purpose: 'what sets the idea apart, ready to be shaped',
    example: {
      kind: 'wr.differentiation_handoff',
      version: 1,
      schemaVersion: '1.0.0',
      generatedAt: '2030-01-01T00:00:00Z',
      evidenceFreshness: { oldest: '2029-11-01', newest: '2029-12-20' },
      validationChecklist: ['five users asked for it unprompted'],
      shapingHandoff: {
        rawIdea: 'the idea in one sentence',
        problem: 'who has which problem',
        baseline: 'what they do today',
        appetiteHint: 'small_batch',
        noGosHints: [],
        constraints: { teamSize: 2, technicalCapabilities: ['TypeScript'], exclusions: [] },
        evidenceTopK: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
        defensibilityClaim: { power: 'none', cannibalization: 'none expected' },
      },
    },
  },
];
for (const contract of own) registerOutputContract(contract);
