import { CodingHandoff, DiscoveryHandoff, ShapingHandoff } from '#schema/phase-handoffs.ts';
import { fitByPriority, type Priority, type PrioritySection } from './fit-by-priority.ts';

/** The kind of work that comes next. */
export type SummaryTarget = 'shaping' | 'coding' | 'review' | 'fix';

/** UTF-8 bytes of a summary, including the lines between sections. */
export const summaryBytes = 8192;

/** What earlier phases found out, for the next one: by priority, within the limit. */
export function buildContextSummary(prior: readonly unknown[], target: SummaryTarget): string {
  return fitByPriority(sectionsFor(prior, target), summaryBytes);
}

function sectionsFor(prior: readonly unknown[], target: SummaryTarget): PrioritySection[] {
  // Of a phase that ran again, the last handoff counts.
  const last = <T>(schema: { safeParse(value: unknown): { data?: T | undefined } }): T | undefined =>
    prior.map((value) => schema.safeParse(value).data).findLast((data) => data !== undefined);
  const discovery = last(DiscoveryHandoff);
  const shaping = last(ShapingHandoff);
  const coding = last(CodingHandoff);
  const section = (priority: Priority, title: string, lines: readonly string[] = []): PrioritySection => ({
    title,
    priority,
    lines,
  });
  const constraints = section(1, 'Implementation constraints', discovery?.implementationConstraints);
  const invariants = section(2, 'What must stay true', discovery?.keyInvariants);
  const places = section(
    3,
    'Where to look',
    discovery?.keyCodebaseLocations?.map(({ path, relevance }) => `${path}: ${relevance}`),
  );
  const shape = section(
    1,
    'Shape',
    shaping ? [`${shaping.selectedShape} (appetite: ${shaping.appetite})`] : [],
  );
  const keyConstraints = section(1, 'Key constraints', shaping?.keyConstraints);
  const outOfScope = section(1, 'Out of scope', shaping?.outOfScope);
  const checklist = section(1, 'Validation checklist', shaping?.validationChecklist);
  const built = [
    section(1, 'Coding decisions', coding?.keyDecisions),
    section(
      1,
      'Corrected assumptions',
      coding?.correctedAssumptions?.map(({ assumed, actual }) => `assumed: ${assumed}; in fact: ${actual}`),
    ),
    section(2, 'Known limitations', coding?.knownLimitations),
    section(3, 'Changed files', coding?.filesChanged),
  ];
  switch (target) {
    case 'shaping':
      return [
        constraints,
        section(1, 'Selected direction', discovery ? [discovery.selectedDirection] : []),
        invariants,
        section(
          2,
          'Rejected directions',
          discovery?.rejectedDirections?.map(({ direction, reason }) => `${direction}: ${reason}`),
        ),
        places,
      ];
    case 'coding':
      return [
        constraints,
        shape,
        keyConstraints,
        outOfScope,
        invariants,
        section(2, 'Rabbit holes', shaping?.rabbitHoles),
        places,
      ];
    case 'review':
      return [constraints, checklist, keyConstraints, outOfScope, invariants, ...built];
    case 'fix':
      return [checklist, keyConstraints, outOfScope, ...built];
  }
}
