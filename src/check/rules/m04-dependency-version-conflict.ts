import { posix } from 'node:path';
import type { Rule } from './rule.ts';
import { rangesRelate } from './settings/version-ranges.ts';
import type { Dependency } from './survey/manifests.ts';
import { gather, meetings, type Sighting, type Survey } from './survey/survey.ts';

export const dependencyVersionConflict = {
  id: 'M04',
  name: 'dependency-version-conflict',
  category: 'dependency',
  severity: 'minor',
  languages: ['any'],
  precision: 0.9,
  alarms: { merges: 1035, with: 1 },
  measured: { findings: 34, real: 34 },
  what: 'Two branches ask for the same package in different manifests (package.json, pyproject.toml, requirements files), and no version satisfies both ranges. The project then has two copies, or cannot be installed.',
  example: { a: ['  packages/a: + "zod": "^3.23"'], b: ['  packages/b: + "zod": "^4.1"'] },
  move: 'Agree on one range.',
  proof: ['likely'],
  owner: 'either',
  detect: { survey: rangesApart },
} satisfies Rule;

async function rangesApart(survey: Survey): Promise<Sighting[]> {
  const all = await gather(
    survey,
    ({ dependencies }) => dependencies?.added ?? [],
    (each: Dependency, at) => [`${each.system} ${each.name}`, { ...each, ...at }] as const,
  );
  return [...all].flatMap(([key, items]) =>
    meetings(survey, items).flatMap(([first, second]): Sighting[] => {
      if (first.file === second.file || rangesRelate(first.system, first.range, second.range) !== 'apart')
        return [];
      const together = posix.dirname(first.file) === posix.dirname(second.file);
      const result = together ? 'no version satisfies both' : 'the project gets two versions of it';
      return [
        {
          key,
          provider: first,
          sites: [second],
          subject: first.name,
          confidence: 'likely',
          message: `${first.side.ref} asks for ${first.name} ${first.range}, ${second.side.ref} for ${second.range}: ${result}`,
          suggestion: `agree on one range of ${first.name}`,
        },
      ];
    }),
  );
}
