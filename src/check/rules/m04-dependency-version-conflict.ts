import { posix } from 'node:path';
import type { Rule } from './rule.ts';
import { rangesRelate } from './settings/version-ranges.ts';
import { isExample } from './survey/example-path.ts';
import type { Dependency } from './survey/manifests.ts';
import { gather, meetings, type Sighting, type Survey } from './survey/survey.ts';

export const dependencyVersionConflict = {
  id: 'M04',
  name: 'dependency-version-conflict',
  category: 'dependency',
  severity: 'minor',
  languages: ['any'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
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
      if (!areTwoEntries(first, second) || rangesRelate(first.system, first.range, second.range) !== 'apart')
        return [];
      const raised = raisedBy(items, first, second) ?? raisedBy(items, second, first);
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
          ...raised,
        },
      ];
    }),
  );
}

/** One manifest of Python may list a package twice, once for each extra or group. Two versions of one entry conflict as text. */
function areTwoEntries(first: Asked, second: Asked): boolean {
  // Each example is installed on its own.
  if (isExample(first.file) || isExample(second.file)) return false;
  if (first.file !== second.file) return true;
  return first.system !== 'npm' && first.before === undefined && second.before === undefined;
}

type Asked = Dependency & { readonly side: { readonly ref: string }; readonly file: string };

/** One side raises the package in several manifests, and the other adds a manifest that still requires the old range. */
function raisedBy(
  items: readonly Asked[],
  raised: Asked,
  late: Asked,
): Pick<Sighting, 'severity' | 'message'> | undefined {
  const manifests = items.filter(
    ({ side, before, range }) => side === raised.side && before === late.range && range === raised.range,
  );
  if (late.before !== undefined || manifests.length < 2) return undefined;
  return {
    severity: 'important',
    message: `${raised.side.ref} raises ${raised.name} from ${late.range} to ${raised.range} in ${manifests.length} manifests; ${late.side.ref} still asks for ${late.range} in ${late.file}`,
  };
}
