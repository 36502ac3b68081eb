import { canonicalJson } from '#lib/canonical-json.ts';
import type { Context } from '#workflow/language/condition.ts';

const mostBytes = 256 * 1024;
const deepest = 64;
const reserved = new Set(['eat_token', 'parent_eat_token', 'metrics_harness', 'metrics_active_model']);
const hostile = new Set(['__proto__', 'constructor', 'prototype']);
const outcomes = ['success', 'partial', 'abandoned', 'error'];

/** The context after a step: new values win, null removes a variable, lists and objects are replaced. */
export function mergeContext(context: Context, delta: Readonly<Record<string, unknown>>): Context {
  const merged = { ...context, ...delta };
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** What is wrong with values for the context, or null. Checked before merging. */
export function contextProblem(delta: Readonly<Record<string, unknown>>): string | null {
  const key = Object.keys(delta).find((name) => reserved.has(name));
  if (key !== undefined) return `context.${key} is reserved`;
  const bad = findBad(delta, 'context', 1);
  if (bad !== null) return bad;
  const outcome = delta.metrics_outcome;
  if (outcome !== undefined && outcome !== null && !outcomes.includes(outcome as string))
    return `context.metrics_outcome is ${JSON.stringify(outcome)}; it is one of ${outcomes.join(', ')}`;
  return null;
}

/** What is wrong with the whole context after merging, or null. */
export function contextSizeProblem(context: Context): string | null {
  const bytes = Buffer.byteLength(canonicalJson(context));
  return bytes > mostBytes ? `the context has ${bytes} bytes; ${mostBytes} are allowed` : null;
}

/** Depth counts objects and lists around a value: { a: 1 } has depth 1. */
export function findBad(value: unknown, path: string, depth: number): string | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null;
    case 'number':
      return Number.isFinite(value) ? null : `${path} is not a finite number`;
    case 'object':
      break;
    default:
      return `${path} is not a JSON value`;
  }
  if (value === null) return null;
  if (depth > deepest) return `${path} is nested deeper than ${deepest}`;
  for (const [key, inner] of Object.entries(value)) {
    if (hostile.has(key)) return `${path}.${key} is not allowed as a name`;
    const bad = findBad(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, depth + 1);
    if (bad !== null) return bad;
  }
  return null;
}
