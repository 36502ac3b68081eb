import type { ContractRegistry } from '#handoff/contracts/registry.ts';
import { citable, type Library, refProblem } from '#handoff/library.ts';
import { exampleHandoff, type Handoff, type HandoffForm, type Ref } from '#schema/handoff.ts';
import { readForm, type Sender } from './read-form.ts';

/** What a handoff of one attempt is checked against. */
export interface HandoffContext extends Sender {
  readonly library: Library;
  readonly contracts: ContractRegistry;
}

export type HandoffReview =
  | { readonly ok: true; readonly handoff: Handoff; readonly form: HandoffForm }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      readonly validSections: readonly string[];
      readonly example: Handoff;
    };

/** Parses and checks schema, identity and references. A refusal says exactly what is wrong and what would be accepted. */
export function reviewHandoff(raw: unknown, context: HandoffContext): HandoffReview {
  const reading = readForm(raw, senderOf(context), context.contracts);
  const problems = reading.ok
    ? [...identityProblems(reading.handoff, context), ...refProblems(reading.handoff, context.library)]
    : reading.problems;
  if (reading.ok && problems.length === 0) return { ok: true, handoff: reading.handoff, form: reading.form };
  return {
    ok: false,
    problems,
    validSections: citable(context.library),
    example: exampleHandoff(context.run, context.step, context.attempt, context.role),
  };
}

function senderOf({ run, step, attempt, role }: Sender): Sender {
  return { run, step, attempt, role };
}

function identityProblems(handoff: Handoff, context: Sender): string[] {
  return Object.entries(senderOf(context))
    .filter(([field, value]) => handoff[field as keyof Sender] !== value)
    .map(([field, value]) => `${field}: expected ${JSON.stringify(value)}`);
}

function refProblems(handoff: Handoff, library: Library): string[] {
  const refs: (readonly [string, Ref])[] = [
    ...handoff.consumed.map((entry, index) => [`consumed.${index}.ref`, entry.ref] as const),
    ...handoff.produced.map((entry, index) => [`produced.${index}.ref`, entry.ref] as const),
    ...handoff.decisions.flatMap((entry, index) =>
      entry.covers ? [[`decisions.${index}.covers`, entry.covers] as const] : [],
    ),
  ];
  return refs.flatMap(([where, ref]) => {
    const problem = refProblem(library, ref);
    return problem === null ? [] : [`${where}: ${problem}`];
  });
}
