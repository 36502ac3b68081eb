import type { z } from 'zod';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import { camelKeys } from '#lib/camel-keys.ts';
import { nearest } from '#lib/nearest.ts';
import { contractWithOurNames } from '#planning/answers/contract-names.ts';
import { asText, each, listOf } from '#planning/answers/lists.ts';
import { parseSpec, plainTitle } from '#planning/spec/parse-spec.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import { Plan, planProblems, unknownPlanKeys } from '#schema/plan.ts';

export type ArchitectAnswer =
  | { readonly status: 'read'; readonly plan: Plan }
  /** Each problem as reported to the architect. */
  | { readonly status: 'unusable'; readonly problems: readonly string[] };

/** The plan in an architect's answer, or everything that is wrong with it. */
export function readArchitectAnswer(text: string, spec: SpecBundle): ArchitectAnswer {
  const found = findJson(text, (value) => isObject(value) && 'tasks' in value);
  if (found === undefined)
    return unusable(['the answer holds no JSON object with "tasks": answer with the object alone']);
  const written = withOurNames(camelKeys(found), spec);
  const unknown = unknownPlanKeys(written).map(
    ({ path, meant }) =>
      `${path.join('.')}: unknown key${meant === null ? '' : `; did you mean "${meant}"?`}`,
  );
  const parsed = Plan.safeParse(written);
  if (!parsed.success) return unusable([...parsed.error.issues.map(issueText), ...unknown]);
  const problems = [
    ...unknown,
    ...planProblems(parsed.data),
    ...missingContract(parsed.data),
    ...outsidePaths(parsed.data),
    ...strayReferences(parsed.data, spec),
  ];
  return problems.length > 0 ? unusable(problems) : { status: 'read', plan: parsed.data };
}

function unusable(problems: readonly string[]): ArchitectAnswer {
  return { status: 'unusable', problems };
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.') || 'the answer'}: ${message}`;
}

/** A plan divides work between several developers: without a contract they have no common agreement. */
function missingContract({ contract, tasks }: Plan): string[] {
  if (contract === undefined) return tasks.length > 1 ? ['contract: it is missing'] : [];
  return contract.schema === 'joinery/contract@1' ? [] : ['contract.schema: must be "joinery/contract@1"'];
}

function outsidePaths({ tasks }: Plan): string[] {
  return tasks.flatMap(({ id, files }) =>
    files
      .filter((path) => path.startsWith('/') || path.includes('\0') || path.split(/[\\/]/).includes('..'))
      .map((path) => `task ${id}: ${JSON.stringify(path)} is outside of the repository`),
  );
}

/** A reference to a section that the spec does not have suggests a plan for another spec. */
function strayReferences({ tasks }: Plan, spec: SpecBundle): string[] {
  const titles = new Map(
    [spec, ...spec.linked].flatMap(({ text }) => {
      const { title, sections } = parseSpec(text);
      return [...(title === null ? [] : [title]), ...sections.map((section) => section.title)].map(
        (each): [string, string] => [plainTitle(each), each],
      );
    }),
  );
  return tasks.flatMap(({ id, specRefs = [] }) =>
    specRefs.flatMap(({ section }) => {
      if (section === undefined || titles.has(plainTitle(section))) return [];
      const meant = titles.get(nearest(plainTitle(section), titles.keys()) ?? '');
      return [
        `task ${id}: the spec has no section ${JSON.stringify(section)}${meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`}`,
      ];
    }),
  );
}

const severities: Readonly<Record<string, string>> = {
  critical: 'blocking',
  warning: 'important',
  note: 'info',
};
const tiers: Readonly<Record<string, string>> = { opus: 'strong', sonnet: 'standard', haiku: 'fast' };

/** Converts the names that other planners use. */
function withOurNames(value: unknown, spec: SpecBundle): unknown {
  if (!isObject(value)) return value;
  const { crossCuttingConcerns, ...rest } = value;
  return {
    ...rest,
    ...(crossCuttingConcerns === undefined ? {} : { concerns: crossCuttingConcerns }),
    schema: 'joinery/plan@1',
    spec: { path: spec.path, sha256: spec.sha256 },
    tasks: each(rest.tasks, taskWithOurNames),
    ...(rest.contract === undefined ? {} : { contract: contractWithOurNames(rest.contract) }),
    ...(rest.validation === undefined ? {} : { validation: each(rest.validation, validationWithOurNames) }),
  };
}

function taskWithOurNames(task: Record<string, unknown>): object {
  const { acceptanceCriteria, filesTouched, agentModel, specReferences, ...rest } = task;
  return {
    ...rest,
    id: asText(rest.id),
    ...(rest.dependsOn === undefined ? {} : { dependsOn: listOf(rest.dependsOn, asText) }),
    ...(filesTouched === undefined ? {} : { files: filesTouched }),
    ...(agentModel === undefined ? {} : { tier: tiers[String(agentModel)] ?? agentModel }),
    ...(specReferences === undefined ? {} : { specRefs: specReferences }),
    ...(acceptanceCriteria === undefined
      ? {}
      : {
          acceptance:
            typeof acceptanceCriteria === 'string'
              ? [{ text: acceptanceCriteria, verifyBy: 'manual' }]
              : listOf(acceptanceCriteria, criterionWithOurNames),
        }),
  };
}

function criterionWithOurNames(criterion: unknown): unknown {
  if (typeof criterion === 'string') return { text: criterion, verifyBy: 'manual' };
  if (!isObject(criterion)) return criterion;
  const { criterion: text, ...rest } = criterion;
  return text === undefined ? rest : { text, ...rest };
}

function validationWithOurNames(entry: Record<string, unknown>): object {
  const { productRequirement, severity, ...rest } = entry;
  return {
    ...rest,
    severity: severities[String(severity)] ?? severity,
    ...(productRequirement === undefined ? {} : { requirement: productRequirement }),
  };
}
