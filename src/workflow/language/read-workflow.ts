import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { asObject } from '#lib/json-value.ts';
import { nearest } from '#lib/nearest.ts';
import { stepSchemas, Workflow } from '#schema/workflow.ts';
import { blocking, type Path, type Problem } from './problem.ts';

export interface ReadWorkflow {
  /** Null if a problem blocks. */
  readonly workflow: Workflow | null;
  readonly problems: readonly Problem[];
}

/** No workflow is longer than this. */
const longestFile = 4 * 1024 * 1024;

/** Reads a workflow from a JSON or YAML text, or says what is wrong with it. */
export function readWorkflow(text: string, isYaml: boolean): ReadWorkflow {
  if (text.length > longestFile) return refused(blocking([], 'too-large', 'is longer than 4 MiB'));
  const parsed = isYaml ? parseYaml(text) : parseJson(text);
  return 'problem' in parsed ? refused(parsed.problem) : checkShape(parsed.value);
}

function refused(problem: Problem): ReadWorkflow {
  return { workflow: null, problems: [problem] };
}

type Parsed = { readonly value: unknown } | { readonly problem: Problem };

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    return { problem: blocking([], 'not-json', (error as Error).message.split('\n')[0] ?? '') };
  }
}

function parseYaml(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    return { problem: blocking([], 'not-yaml', `line ${line}, column ${col}: ${error.message}`) };
  }
  try {
    // The library refuses an alias that refers to itself, and billions of them.
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { problem: blocking([], 'not-yaml', (error as Error).message) };
  }
}

const stand = { id: 'stand-in', title: 'stands for the real one', prompt: 'which is checked by itself' };

/**
 * First the document without its steps, then each step by the schema of its type: a mistake in a step is then reported as
 * such, and not as "fits none of four kinds".
 */
export function checkShape(value: unknown): ReadWorkflow {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused(blocking([], 'not-a-workflow', 'is not an object with "id" and "steps"'));
  const { steps } = asObject(value);
  const hasSteps = Array.isArray(steps) && steps.length > 0;
  const problems = [
    ...issuesOf(Workflow, hasSteps ? { ...value, steps: [stand] } : value, []),
    ...(hasSteps ? steps.flatMap((step, index) => checkStep(step, ['steps', index])) : []),
  ];
  return { workflow: problems.length === 0 ? (value as Workflow) : null, problems };
}

function checkStep(step: unknown, path: Path): Problem[] {
  const { type = 'step', body } = asObject(step);
  if (typeof type !== 'string' || !Object.hasOwn(stepSchemas, type)) {
    const meant = nearest(String(type), Object.keys(stepSchemas));
    const known = Object.keys(stepSchemas).join(', ');
    return [
      blocking(
        [...path, 'type'],
        'unknown-type',
        `there is no type of step ${JSON.stringify(type)}${meant === null ? `; types: ${known}` : `; did you mean "${meant}"?`}`,
      ),
    ];
  }
  const schema = stepSchemas[type as keyof typeof stepSchemas];
  if (type !== 'loop' || !Array.isArray(body)) return issuesOf(schema, step, path);
  return [
    ...issuesOf(schema, { ...(step as object), body: 'stand-in' }, path),
    ...(body.length === 0 ? [blocking([...path, 'body'], 'empty-body', 'a loop needs a step')] : []),
    ...body.flatMap((inner, index) => checkStep(inner, [...path, 'body', index])),
  ];
}

function issuesOf(schema: z.ZodType, value: unknown, path: Path): Problem[] {
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => toProblems(issue, path));
}

type Issue = z.core.$ZodIssue;

function toProblems(issue: Issue, base: Path): Problem[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'invalid_union') {
    // Of several alternatives, the one the author meant: the one that expects this kind of value.
    const meant = issue.errors.find((branch) => !branch.some(isOtherKind));
    if (meant) return meant.flatMap((inner) => toProblems(inner, path));
  }
  if (issue.code === 'unrecognized_keys') {
    const lines = issue.message.split('\n');
    return issue.keys.map((key, index) =>
      blocking([...path, key], 'unknown-field', lines[index] ?? issue.message),
    );
  }
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return [
    blocking(path, isMissing ? 'missing-field' : 'bad-value', isMissing ? 'is missing' : issue.message),
  ];
}

function isOtherKind(issue: Issue): boolean {
  return issue.path.length === 0 && issue.code === 'invalid_type';
}
