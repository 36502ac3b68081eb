import { clonesOf } from './clones/clones.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey } from './survey/survey.ts';

export const duplicateImplementation = {
  id: 'D01',
  name: 'duplicate-implementation',
  category: 'duplicate',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 36, real: 31 },
  what: 'Two branches each add the same function: the same code, regardless of its name and the names of its parameters and locals. Together the project has it twice.',
  example: {
    a: ['+ const sleep = (ms) => new Promise((done) => setTimeout(done, ms))'],
    b: ['+ const delay = (time) => new Promise((go) => setTimeout(go, time))'],
  },
  move: 'Keep one of them where both can import it.',
  proof: ['likely'],
  owner: 'either',
  givesWay: true,
  detect: { survey: sameTwice },
} satisfies Rule;

async function sameTwice(survey: Survey): Promise<Sighting[]> {
  const clones = await clonesOf(survey);
  return clones.flatMap(({ first, second, likeness }): Sighting[] => {
    if (likeness !== 1) return [];
    return [
      {
        key: `${first.file}#${first.name}`,
        provider: first,
        sites: [second],
        subject: [second.name, second.file],
        confidence: 'likely',
        message: `${first.side.ref} adds ${first.name} and ${second.side.ref} adds ${second.name}: the same code`,
        suggestion: `keep one of ${first.file} and ${second.file}, and import it in the other place`,
      },
    ];
  });
}
