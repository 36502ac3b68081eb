import type { Rule } from './rule.ts';
import type { Resource } from './survey/resources.ts';
import { gather, meetings, type Sighting, type Survey } from './survey/survey.ts';

export const resourceCollision = {
  id: 'M10',
  name: 'resource-collision',
  category: 'dependency',
  severity: 'blocking',
  languages: ['yaml', 'any'],
  precision: 0.95,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'Two branches each add something that may exist once where it is deployed, under one name: a host port or a container name in the compose files of a folder, a Terraform resource in one module, a Kubernetes object in one namespace. The text merges; the deployment fails or one replaces the other.',
  example: { a: ['+ web: ports: ["8080:80"]'], b: ['+ admin: ports: ["8080:3000"]'] },
  move: 'Give one of the two another port or name.',
  proof: ['proven'],
  owner: 'either',
  detect: { survey: collisions },
} satisfies Rule;

async function collisions(survey: Survey): Promise<Sighting[]> {
  const all = await gather(
    survey,
    ({ resources }) => resources ?? [],
    (each: Resource, at) =>
      [JSON.stringify([each.kind, each.scope, each.value]), { ...each, ...at }] as const,
  );
  return [...all].flatMap(([key, items]) =>
    meetings(survey, items).flatMap(([first, second]): Sighting[] => {
      if (first.holder === second.holder) return [];
      return [
        {
          key,
          provider: { ...first, name: first.value },
          sites: [{ ...second, name: second.value }],
          subject: first.value,
          confidence: 'proven',
          message: `${first.side.ref} and ${second.side.ref} both add the ${first.kind} ${first.value}`,
          suggestion: `give one of them another ${first.kind}`,
        },
      ];
    }),
  );
}
