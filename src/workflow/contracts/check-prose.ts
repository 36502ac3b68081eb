import { z } from 'zod';
import { testPattern } from '#lib/bounded-regexp.ts';
import type { ProseRule } from '#schema/workflow.ts';
import type { Blocker } from '#schema/workflow-run.ts';
import { type Context, holds } from '#workflow/language/condition.ts';

/** The rules about the text of notes that are violated, each with its message. */
export function checkProse(rules: readonly ProseRule[], notes: string, context: Context): Blocker[] {
  return rules
    .flatMap((rule) => failures(rule, notes, context))
    .map((message) => ({
      code: 'INVALID_REQUIRED_OUTPUT',
      about: 'wr.validationCriteria',
      message,
      fix: 'change the notes accordingly and hand them in again',
    }));
}

function failures(rule: ProseRule, notes: string, context: Context): string[] {
  if (!holds(rule.condition, context)) return [];
  if (rule.and) return rule.and.flatMap((inner) => failures(inner, notes, context));
  if (rule.or) {
    const all = rule.or.map((inner) => failures(inner, notes, context));
    return all.some((each) => each.length === 0) ? [] : [rule.message ?? `one of: ${all.flat().join(' / ')}`];
  }
  if (rule.not)
    return failures(rule.not, notes, context).length > 0
      ? []
      : [rule.message ?? `not: ${describeRule(rule.not)}`];
  return isKept(rule, notes) ? [] : [rule.message ?? describeRule(rule)];
}

function isKept(rule: ProseRule, notes: string): boolean {
  switch (rule.type) {
    case undefined:
      return true;
    case 'contains':
      return notes.includes(rule.value ?? '');
    case 'regex':
      return testPattern(rule.pattern ?? '', rule.flags ?? '', notes) === true;
    case 'length':
      return notes.length >= (rule.min ?? 0) && notes.length <= (rule.max ?? Number.POSITIVE_INFINITY);
    case 'schema':
      return fitsSchema(rule.schema ?? {}, notes);
  }
}

function fitsSchema(schema: Record<string, z.core.util.JSONType>, notes: string): boolean {
  try {
    return z.fromJSONSchema(schema).safeParse(JSON.parse(notes)).success;
  } catch {
    return false;
  }
}

/** Used in the prompt, and for rules without their own message. */
export function describeRule(rule: ProseRule): string {
  if (rule.message) return rule.message;
  if (rule.and) return rule.and.map(describeRule).join(' and ');
  if (rule.or) return rule.or.map(describeRule).join(' or ');
  if (rule.not) return `not: ${describeRule(rule.not)}`;
  switch (rule.type) {
    case 'contains':
      return `the notes contain ${JSON.stringify(rule.value)}`;
    case 'regex':
      return `the notes match /${rule.pattern}/${rule.flags ?? ''}`;
    case 'length':
      return `the notes have ${rule.min ?? 0} to ${rule.max ?? 'any number of'} characters`;
    case 'schema':
      return 'the notes are JSON that fits the schema';
    case undefined:
      return 'anything';
  }
}
