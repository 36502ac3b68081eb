import { z } from 'zod';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import { camelKeys } from '#lib/camel-keys.ts';
import {
  ContractIssue,
  CriticalFailure,
  NeedsHuman,
  PlanFix,
  Requirement,
  SemanticDrift,
  type VerifierFindings,
} from '#schema/planning.ts';

export type VerifierAnswer =
  | {
      readonly status: 'read';
      /** The verifier's status. It decides nothing, but a bad status is never improved. */
      readonly said: string;
      readonly findings: VerifierFindings;
      /** Parts that could not be understood. */
      readonly unread: readonly string[];
    }
  | { readonly status: 'unusable'; readonly reason: string };

/** Reads a verifier's answer: bare JSON, fenced, or inside prose. */
export function readVerifierAnswer(text: string): VerifierAnswer {
  const found = camelKeys(findJson(text, (value) => isObject(value) && 'status' in value));
  if (!isObject(found)) return { status: 'unusable', reason: 'it holds no JSON object with a "status"' };
  const unread: string[] = [];
  const list = <T extends z.ZodType>(
    keys: readonly string[],
    schema: T,
    prepare = (item: unknown) => item,
  ) => {
    const value = keys.map((key) => found[key]).find((each) => each !== undefined && each !== null) ?? [];
    if (!Array.isArray(value)) {
      unread.push(`"${keys[0]}" is not a list`);
      return [];
    }
    return value.flatMap((item, index): z.output<T>[] => {
      const parsed = schema.safeParse(prepare(item));
      if (parsed.success) return [parsed.data];
      const [issue] = parsed.error.issues;
      unread.push(`${keys[0]}[${index}]: ${issue?.path.join('.') || 'it'}: ${issue?.message}`);
      return [];
    });
  };
  const findings: VerifierFindings = {
    coreQuestion: coreQuestionIn(found),
    requirements: list(['specRequirements', 'requirements'], Requirement, requirementOf),
    semanticDrift: list(['semanticDrift'], SemanticDrift),
    contractIssues: list(['contractIssues'], ContractIssue, (item) =>
      typeof item === 'string' ? { type: 'other', description: item } : item,
    ),
    criticalFailures: list(['criticalFailures'], CriticalFailure, (item) =>
      typeof item === 'string' ? { description: item } : textsIn(item),
    ),
    recommendations: list(['recommendations'], z.string()),
    needsHuman: list(['needsHuman'], NeedsHuman, needsHumanOf),
  };
  return { status: 'read', said: String(found.status), findings, unread };
}

function coreQuestionIn(found: Readonly<Record<string, unknown>>): VerifierFindings['coreQuestion'] {
  const nested = isObject(found.coreQuestion) ? found.coreQuestion : {};
  const answerable = found.coreQuestionAnswerable ?? nested.isAnswerable ?? nested.answerable;
  return {
    text: typeof found.coreQuestion === 'string' ? found.coreQuestion : String(nested.text ?? ''),
    isAnswerable: typeof answerable === 'boolean' ? answerable : null,
    reasoning: String(found.coreQuestionReasoning ?? nested.reasoning ?? ''),
  };
}

function requirementOf(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { mappedToTask, ...rest } = textsIn(item);
  const task = rest.task ?? mappedToTask;
  return { ...rest, task: task === undefined || task === null || task === '' ? null : String(task) };
}

function needsHumanOf(item: unknown): unknown {
  if (typeof item === 'string') return { issue: item };
  if (!isObject(item)) return item;
  const { taskId, description, specReference, planGap, ...rest } = textsIn(item);
  const task = rest.task ?? taskId;
  return {
    ...rest,
    task: task === undefined || task === null ? null : String(task),
    issue: rest.issue ?? description,
    specSays: rest.specSays ?? specReference,
    planSays: rest.planSays ?? planGap,
  };
}

/** Null counts as a missing text. */
function textsIn(item: unknown): Record<string, unknown> {
  if (!isObject(item)) return {};
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

export type FixerAnswer =
  | {
      readonly status: 'read';
      readonly fixes: readonly PlanFix[];
      readonly needsHuman: readonly NeedsHuman[];
      readonly unread: readonly string[];
    }
  | { readonly status: 'unusable'; readonly reason: string };

export function readFixerAnswer(text: string): FixerAnswer {
  const keys = ['fixes', 'fixesApplied', 'fixes_applied', 'needsHuman', 'needs_human'];
  const found = camelKeys(findJson(text, (value) => isObject(value) && keys.some((key) => key in value)));
  if (!isObject(found)) return { status: 'unusable', reason: 'it holds no JSON object with "fixes"' };
  const unread: string[] = [];
  const read = <T extends z.ZodType>(value: unknown, schema: T, prepare: (item: unknown) => unknown) =>
    (Array.isArray(value) ? value : []).flatMap((item, index): z.output<T>[] => {
      const parsed = schema.safeParse(prepare(item));
      if (parsed.success) return [parsed.data];
      unread.push(`entry ${index + 1} cannot be read: ${parsed.error.issues[0]?.message}`);
      return [];
    });
  return {
    status: 'read',
    fixes: read(found.fixes ?? found.fixesApplied, PlanFix, fixOf),
    needsHuman: read(found.needsHuman, NeedsHuman, needsHumanOf),
    unread,
  };
}

function fixOf(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { taskId, file: _, ...rest } = item;
  const task = rest.task ?? taskId;
  return {
    ...rest,
    task: task === undefined || task === null ? null : String(task),
    reason: rest.reason ?? '',
  };
}
