import { CodingHandoff, DiscoveryHandoff, ShapingHandoff } from '#schema/phase-handoffs.ts';

/** Who is about to work. */
export type SummaryTarget = 'shaping' | 'coding' | 'review' | 'fix';

/** UTF-8 bytes of a summary, the lines between sections included. */
export const summaryBytes = 8192;

type Priority = 1 | 2 | 3;

interface SummarySection {
  readonly title: string;
  readonly priority: Priority;
  readonly lines: readonly string[];
}

/**
 * What earlier phases found out, for the next one: whole sections by priority. A section of lower priority never takes
 * the room of a higher one; where the most important ones alone are too long, each gets a fair share and says what was cut.
 */
export function buildContextSummary(prior: readonly unknown[], target: SummaryTarget): string {
  const sections = sectionsFor(prior, target)
    .filter(({ lines }) => lines.length > 0)
    .toSorted((a, b) => a.priority - b.priority);
  const first = sections.filter(({ priority }) => priority === 1).map(render);
  const fitted = bytesOf(first) <= summaryBytes ? first : fairShares(first);
  for (const section of sections.filter(({ priority }) => priority !== 1)) {
    const text = render(section);
    // What comes later is less important: it must not slip into room that this one did not find.
    if (bytesOf([...fitted, text]) > summaryBytes) break;
    fitted.push(text);
  }
  return fitted.join('\n\n');
}

function sectionsFor(prior: readonly unknown[], target: SummaryTarget): SummarySection[] {
  // A phase that was run again is told by its last handoff.
  const last = <T>(schema: { safeParse(value: unknown): { data?: T | undefined } }): T | undefined =>
    prior.map((value) => schema.safeParse(value).data).findLast((data) => data !== undefined);
  const discovery = last(DiscoveryHandoff);
  const shaping = last(ShapingHandoff);
  const coding = last(CodingHandoff);
  const section = (priority: Priority, title: string, lines: readonly string[] = []): SummarySection => ({
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

function render({ title, lines }: SummarySection): string {
  return `## ${title}\n\n${lines.map((line) => `- ${line.replace(/\s+/g, ' ').trim()}`).join('\n')}`;
}

function bytesOf(texts: readonly string[]): number {
  return Buffer.byteLength(texts.join('\n\n'));
}

/** Whole lines of every section, in turn, as long as there is room; a section that lost lines says how many. */
function fairShares(texts: readonly string[]): string[] {
  const notice = (count: number) => `- [${count} more left out for length]`;
  const share = Math.floor((summaryBytes - 2 * (texts.length - 1)) / texts.length);
  return texts.map((text) => {
    if (Buffer.byteLength(text) <= share) return text;
    const [title = '', blank = '', ...lines] = text.split('\n');
    const kept = [title, blank];
    let room = share - Buffer.byteLength(`${title}\n${blank}\n`) - Buffer.byteLength(notice(lines.length));
    let count = 0;
    for (const line of lines) {
      room -= Buffer.byteLength(line) + 1;
      if (room < 0) break;
      kept.push(line);
      count += 1;
    }
    return [...kept, notice(lines.length - count)].join('\n');
  });
}
