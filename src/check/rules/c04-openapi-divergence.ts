import type { Placed } from '#code/formats/shared/data-facts.ts';
import { type At, type ChangedData, changedData, newIn, newUses } from './data/changed-data.ts';
import { goneFrom } from './data/gone.ts';
import type { Rule } from './rule.ts';
import { meetings, type Side, type Sighting, type Survey } from './survey/survey.ts';

export const openapiDivergence = {
  id: 'C04',
  name: 'openapi-divergence',
  category: 'schema',
  severity: 'blocking',
  languages: ['yaml', 'json'],
  precision: 0.95,
  what: 'The merged description of an API does not hold together: one branch removes a schema that another one refers to, two operations get one operationId, or a property that one branch removes is required or shown in an example by the other.',
  example: {
    a: ['- Money: …   # components.schemas'],
    b: ["+ price: { $ref: '#/components/schemas/Money' }"],
  },
  move: 'Refer to what the description has now; give each operation its own id.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  detect: { survey: divergences },
} satisfies Rule;

async function divergences(survey: Survey): Promise<Sighting[]> {
  const data = await changedData(survey);
  const pairs = [...data].flatMap(([remover, own]) =>
    [...data]
      .filter(([side]) => side !== remover && survey.isApart(side, remover))
      .map(([side, others]) => ({ remover, own, side, others })),
  );
  return [
    ...pairs.flatMap(danglingReferences),
    ...pairs.flatMap(lostProperties),
    ...idsTakenTwice(survey, [...data.values()].flat()),
  ];
}

interface Pair {
  readonly remover: Side;
  readonly own: readonly ChangedData[];
  readonly side: Side;
  readonly others: readonly ChangedData[];
}

function danglingReferences({ remover, own, side, others }: Pair): Sighting[] {
  return own.flatMap((changed) =>
    schemasGone(changed).flatMap(({ name, line }): Sighting[] => {
      const same = others.filter(({ file }) => file === changed.file);
      const refs = same
        .flatMap((other) => newIn(other, ({ references }) => references))
        .filter((ref) => ref.name === name);
      const [first, ...more] = refs;
      if (!first) return [];
      return [
        {
          key: `schema:${changed.file}#${name}`,
          provider: { side: remover, file: changed.file, line, name, removed: true },
          sites: [first, ...more],
          subject: name,
          confidence: 'proven',
          message: `${remover.ref} removes the schema ${name} from ${changed.file}; ${side.ref} adds a reference to it`,
          suggestion: `refer to another schema, or keep ${name}`,
        },
      ];
    }),
  );
}

function schemasGone({ before, after }: ChangedData): Placed[] {
  if (after.problem || !after.entities) return [];
  const left = new Set(after.entities.map(({ name }) => name));
  return (before.entities ?? []).filter(({ form, name }) => form === 'OpenAPI' && !left.has(name));
}

function lostProperties({ remover, own, side, others }: Pair): Sighting[] {
  const uses = others.flatMap(newUses).filter(({ via }) => via === 'OpenAPI');
  return goneFrom(own).flatMap((gone): Sighting[] => {
    const met = uses.filter(
      (use) => use.of === gone.entity && use.name === gone.name && use.file === gone.file,
    );
    const [first, ...more] = met;
    if (!first || gone.form !== 'OpenAPI') return [];
    const name = `${gone.entity}.${gone.name}`;
    return [
      {
        key: `property:${gone.file}#${name}`,
        provider: { side: remover, file: gone.file, line: gone.line, name: gone.name ?? '', removed: true },
        sites: [first, ...more],
        subject: name,
        confidence: 'likely',
        message: `${remover.ref} removes the property ${name} from ${gone.file}; ${side.ref} requires it or shows it in an example`,
        suggestion: `leave ${gone.name} out, or keep the property`,
      },
    ];
  });
}

function idsTakenTwice(survey: Survey, all: readonly ChangedData[]): Sighting[] {
  const byId = new Map<string, At<Placed>[]>();
  for (const changed of all)
    for (const id of newIn(changed, ({ operationIds }) => operationIds)) {
      const key = `${changed.file}#${id.name}`;
      byId.set(key, [...(byId.get(key) ?? []), id]);
    }
  return [...byId].flatMap(([key, ids]) =>
    meetings(survey, ids).flatMap(([first, second]): Sighting[] => {
      // Both brought the same operation.
      if (first.line === second.line) return [];
      return [
        {
          key: `operation:${key}`,
          provider: first,
          sites: [second],
          subject: first.name,
          confidence: 'proven',
          message: `${first.side.ref} and ${second.side.ref} both give the operationId ${first.name} in ${first.file}; it has to be unique`,
          suggestion: 'give one of the two another operationId',
        },
      ];
    }),
  );
}
