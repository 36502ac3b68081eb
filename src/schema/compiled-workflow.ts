import type { z } from 'zod';
import type {
  Assessment,
  Condition,
  Confirmation,
  Delegation,
  FunctionDefinition,
  LoopControl,
  ProseRule,
  StandardStep,
  WorkflowCheck,
  WorkflowTier,
} from './workflow.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A workflow with all references resolved. Runs are pinned to its hash. */
export interface CompiledWorkflow {
  readonly schema: 'joinery/compiled-workflow@1';
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly modelTier?: WorkflowTier;
  readonly steps: readonly CompiledNode[];
  readonly assessments: readonly Assessment[];
  readonly functions: readonly FunctionDefinition[];
  readonly references: readonly ResolvedReference[];
  /** Shown once, when the workflow starts. */
  readonly preconditions: readonly string[];
  readonly clarifications: readonly string[];
  readonly metrics: 'coding' | 'review' | 'research' | 'design' | 'ticket' | 'none';
  /** Slot → what fills it. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Slots that the project filled instead of the author; missing in runs of older versions. */
  readonly overridden?: readonly string[];
  /** Contract → hash of its schema at compile time. */
  readonly contracts: Readonly<Record<string, string>>;
  /** Contract → its schema at compile time, which a run keeps; missing in runs of older versions. */
  readonly contractSchemas?: Readonly<Record<string, JsonSchema>>;
}

export interface ResolvedReference {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly purpose: string;
  readonly authoritative: boolean;
  readonly isFound: boolean;
}

export type CompiledNode = CompiledStep | CompiledLoop;

export interface CompiledStep {
  readonly kind: 'step' | 'parallel' | 'check';
  readonly id: string;
  readonly title: string;
  readonly prompt: string;
  readonly guidance: readonly string[];
  readonly fragments: readonly { id: string; when?: Condition | undefined; text: string }[];
  readonly agentRole?: string;
  readonly modelTier?: WorkflowTier;
  readonly runCondition?: Condition;
  readonly requireConfirmation?: Confirmation;
  readonly notesOptional: boolean;
  readonly outputContract?: { readonly contractRef: string; readonly required: boolean };
  readonly assessmentRefs: readonly string[];
  readonly consequences: NonNullable<StandardStep['assessmentConsequences']>;
  readonly validation?: readonly ProseRule[];
  readonly delegations?: readonly Delegation[];
  readonly check?: WorkflowCheck;
  readonly jumpIf?: NonNullable<StandardStep['jumpIf']>;
  readonly todoList: readonly string[];
  readonly produces: readonly string[];
  readonly functionReferences: readonly string[];
  readonly askForFiles: boolean;
  /** The last step of the whole workflow: it asks for the closing figures. */
  readonly isLast: boolean;
}

export interface CompiledLoop {
  readonly kind: 'loop';
  readonly id: string;
  readonly title: string;
  readonly runCondition?: Condition;
  readonly loop: LoopControl & { readonly source: LoopSource };
  readonly body: readonly CompiledNode[];
}

/** What decides whether a loop continues. */
export type LoopSource =
  | { readonly kind: 'artifact'; readonly contractRef: string; readonly loopIds: readonly string[] }
  | { readonly kind: 'context'; readonly condition: Condition }
  | { readonly kind: 'count' };
