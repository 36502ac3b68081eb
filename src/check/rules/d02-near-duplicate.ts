import { clonesOf } from './clones/clones.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const nearDuplicate = {
  id: 'D02',
  name: 'near-duplicate',
  category: 'duplicate',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.8,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'Two branches each add a function, and the two are nearly the same: four of five runs of tokens are equal, names of locals aside. From 60 tokens on.',
  example: {
    a: ['+ function retryWithBackoff(fn, times) { … }'],
    b: ['+ function withRetry(op, attempts) { … }   // the same loop'],
  },
  move: 'Read both and keep one, with a parameter for what differs.',
  proof: ['possible'],
  owner: 'either',
  givesWay: true,
  detect: { survey: nearlyTwice },
} satisfies Rule;

async function nearlyTwice(survey: Survey): Promise<Sighting[]> {
  const clones = await clonesOf(survey);
  return clones.flatMap(({ first, second, likeness }): Sighting[] => {
    if (likeness === 1) return [];
    const percent = Math.round(likeness * 100);
    return [
      {
        key: `${first.file}#${first.name}`,
        provider: first,
        sites: [second],
        subject: [second.name, second.file],
        confidence: 'possible',
        message: `${first.side.ref} adds ${first.name} and ${second.side.ref} adds ${second.name}: ${percent} % of their code is the same`,
        suggestion: 'read both; keep one, with a parameter for what differs',
      },
    ];
  });
}
