import { exampleHandoff, Handoff, type Ref } from '#schema/handoff.ts';

/** What a handoff of one attempt is held against. */
export interface HandoffContext {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  readonly role: string;
  /** Sections of every artifact the attempt may cite; files of the worktree are asked for one by one. */
  readonly artifacts: ReadonlyMap<string, readonly string[]>;
  readonly fileExists: (path: string) => boolean;
}

export type HandoffReview =
  | { readonly ok: true; readonly handoff: Handoff }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      readonly validSections: readonly string[];
      readonly example: Handoff;
    };

/** Parse, schema, identity, references. A refusal says exactly what is wrong and what would be accepted. */
export function reviewHandoff(raw: unknown, context: HandoffContext): HandoffReview {
  const parsed = Handoff.safeParse(typeof raw === 'string' ? parseJson(raw) : raw);
  const problems = parsed.success
    ? [...identityProblems(parsed.data, context), ...refProblems(parsed.data, context)]
    : raw === undefined
      ? ['handoff: there is none']
      : parsed.error.issues.map((issue) => `${issue.path.join('.') || 'handoff'}: ${issue.message}`);
  if (parsed.success && problems.length === 0) return { ok: true, handoff: parsed.data };
  return {
    ok: false,
    problems,
    validSections: [...context.artifacts].flatMap(([artifact, sections]) => [
      artifact,
      ...sections.map((section) => `${artifact}#${section}`),
    ]),
    example: exampleHandoff(context.run, context.step, context.attempt, context.role),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function identityProblems(handoff: Handoff, context: HandoffContext): string[] {
  const expected = { run: context.run, step: context.step, attempt: context.attempt, role: context.role };
  return Object.entries(expected)
    .filter(([field, value]) => handoff[field as keyof typeof expected] !== value)
    .map(([field, value]) => `${field}: expected ${JSON.stringify(value)}`);
}

function refProblems(handoff: Handoff, context: HandoffContext): string[] {
  const refs: (readonly [string, Ref])[] = [
    ...handoff.consumed.map((entry, index) => [`consumed.${index}.ref`, entry.ref] as const),
    ...handoff.produced.map((entry, index) => [`produced.${index}.ref`, entry.ref] as const),
    ...handoff.decisions.flatMap((entry, index) =>
      entry.covers ? [[`decisions.${index}.covers`, entry.covers] as const] : [],
    ),
  ];
  return refs.flatMap(([where, ref]) => {
    const sections = context.artifacts.get(ref.artifact);
    if (!sections && !context.fileExists(ref.artifact)) {
      return [`${where}: there is no artifact or file ${JSON.stringify(ref.artifact)}`];
    }
    if (sections && ref.section !== undefined && !sections.includes(ref.section)) {
      return [`${where}: ${ref.artifact} has no section ${JSON.stringify(ref.section)}`];
    }
    return [];
  });
}
