import { fitSections, type Prompt } from '#agents/prompt/fit-sections.ts';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import { camelKeys } from '#lib/camel-keys.ts';
import type { Consult } from '#planning/answers/consult.ts';
import { type Consultation, Guardian } from '#schema/planning.ts';

/** A document and the vision to compare it with. Plain data. */
export interface GuardianInput {
  readonly role: string;
  readonly vision: { readonly path: string; readonly text: string };
  readonly document: { readonly path: string; readonly text: string };
}

export interface Guarded {
  readonly guardian: Guardian;
  readonly consultations: readonly Consultation[];
}

const promptBytes = 200_000;

/** Checks whether a document serves the vision of the product. */
export async function guard(input: GuardianInput, consult: Consult): Promise<Guarded> {
  const prompt = guardianPrompt(input);
  const reply = await consult({ role: 'guardian', n: 1, prompt, place: 'nowhere', tier: 'standard' });
  const guardian =
    reply.outcome === 'ok'
      ? readGuardianAnswer(reply.text)
      : inconclusive(
          `the guardian gave no answer: ${[reply.outcome, reply.reason].filter(Boolean).join(', ')}`,
        );
  return { guardian, consultations: [reply.consultation] };
}

function guardianPrompt({ role, vision, document }: GuardianInput): Prompt {
  return fitSections(
    [
      { id: 'joinery#role', isFixed: true, text: role },
      { id: 'joinery#answer', isFixed: true, text: format },
      { id: 'vision#text', isFixed: true, text: `# The vision: ${vision.path}\n\n${vision.text.trim()}\n` },
      {
        id: 'document#text',
        isFixed: true,
        text: `# The document: ${document.path}\n\n${document.text.trim()}\n`,
      },
    ],
    promptBytes,
  );
}

const format = [
  '# Your answer',
  '',
  'Answer with one JSON object and nothing else:',
  '',
  '```json',
  JSON.stringify(
    {
      status: 'flagged',
      summary: 'One sentence.',
      flags: [
        {
          severity: 'warning',
          description: 'What does not fit.',
          visionReference: 'Quoted from the vision.',
          recommendation: 'What to change.',
        },
      ],
    },
    null,
    1,
  ),
  '```',
  '',
  '`status`: `aligned`, `flagged` or `rejected`. `severity`: `critical`, `warning` or `note`.',
  '',
].join('\n');

/** A critical flag rejects, whatever the guardian's status; an unknown status is never `aligned`. */
export function readGuardianAnswer(text: string): Guardian {
  const found = camelKeys(findJson(text, (value) => isObject(value) && 'status' in value));
  const parsed = Guardian.safeParse(isObject(found) ? { summary: '', flags: [], ...found } : found);
  if (!parsed.success || parsed.data.status === 'inconclusive')
    return inconclusive('the guardian gave no usable answer');
  const { status, summary, flags } = parsed.data;
  const isCritical = flags.some(({ severity }) => severity === 'critical');
  const isWarned = flags.some(({ severity }) => severity === 'warning');
  if (status === 'rejected' || isCritical) return { status: 'rejected', summary, flags };
  return { status: status === 'flagged' || isWarned ? 'flagged' : 'aligned', summary, flags };
}

function inconclusive(summary: string): Guardian {
  return { status: 'inconclusive', summary, flags: [] };
}
