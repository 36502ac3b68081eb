import type { DataFacts, Entity } from '#code/formats/shared/data-facts.ts';
import { type At, type ChangedData, changedData, type NewField, newFields } from './data/changed-data.ts';
import type { Rule } from './rule.ts';
import { meetings, type Sighting, type Survey } from './survey/survey.ts';

export const protobufTagReused = {
  id: 'C06',
  name: 'protobuf-tag-reused',
  category: 'schema',
  severity: 'blocking',
  languages: ['protobuf'],
  precision: 0.99,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 36, real: 36 },
  what: 'Two branches add a field to one protobuf message, or a value to one enum, with the same number or the same name, or one adds a field with a number or name that the other one reserves; or one adds a field of a message or enum that the other one removes or renames. What is merged does not compile.',
  example: { a: ['+ string phone = 7;'], b: ['+ int64 score = 7;'] },
  move: 'Give one of the two the next free number, or use the new name.',
  proof: ['proven', 'likely'],
  owner: 'either',
  detect: { survey: tagsTakenTwice },
} satisfies Rule;

async function tagsTakenTwice(survey: Survey): Promise<Sighting[]> {
  const all = [...(await changedData(survey)).values()].flat();
  const fields = all.flatMap(newFields).filter(({ entity }) => entity.layer === 'message');
  const found: Sighting[] = [];
  for (const [of, keyOf] of [
    ['number', ({ field }: NewField) => String(field.tag)],
    ['name', ({ field }: NewField) => field.name],
  ] as const) {
    const groups = Map.groupBy(fields, (each) => `${each.entity.name} ${keyOf(each)}`);
    for (const group of groups.values())
      for (const [first, second] of meetings(survey, group)) {
        const isSame = first.field.name === second.field.name && first.field.tag === second.field.tag;
        // The same name with the same number is reported once, as a number.
        if (isSame && (of === 'name' || first.field.type === second.field.type)) continue;
        if (of === 'number' || first.field.tag !== second.field.tag)
          found.push(sighting(first, second, of, keyOf(first)));
      }
  }
  for (const { side, file, before, after } of all)
    for (const entity of after.entities ?? []) {
      const old = before.entities?.find(({ name }) => name === entity.name);
      for (const word of entity.reserved ?? []) {
        if (old?.reserved?.includes(word)) continue;
        for (const other of fields) {
          if (other.side === side || !survey.isApart(other.side, side) || other.entity.name !== entity.name)
            continue;
          if (String(other.field.tag) !== word && other.field.name !== word) continue;
          const name = `${entity.name}.${other.field.name}`;
          found.push({
            key: `message:${entity.name} ${word}`,
            provider: { side, file, line: entity.line, name: entity.name },
            sites: [{ ...other, line: other.field.line, name: other.field.name }],
            subject: name,
            confidence: 'proven',
            message: `${side.ref} reserves ${word} in ${entity.name}; ${other.side.ref} adds ${other.field.name} = ${other.field.tag}`,
            suggestion: 'take the next free number',
          });
        }
      }
    }
  return [...found, ...typesGone(survey, all)];
}

/** Fields of a type that another branch takes away. Likely, because an unchanged file may define the type again. */
function typesGone(survey: Survey, all: readonly ChangedData[]): Sighting[] {
  return all.flatMap(({ side, file, before, after }) => {
    const kept = typesOf(all.filter((each) => each.side === side));
    // A file that can no longer be read tells nothing.
    const gone = after.problem ? [] : typesIn(before).filter(({ name }) => !kept.has(name));
    return gone.flatMap((old) =>
      survey.sides
        .filter((other) => other !== side && survey.isApart(other, side))
        .flatMap((other) => {
          const own = all.filter((each) => each.side === other);
          // The other branch defines it too, in another file.
          if (typesOf(own.filter((each) => each.file !== file)).has(old.name)) return [];
          const known = typesOf(own).add(old.name);
          return own
            .flatMap(newFields)
            .filter(({ entity, field }) => typeOf(field.type, entity.name, known) === old.name)
            .map(
              (used): Sighting => ({
                key: `message:${old.name}`,
                provider: { side, file, line: old.line, name: old.name },
                sites: [{ ...used, line: used.field.line, name: used.field.name }],
                subject: old.name,
                confidence: 'likely',
                message: `${side.ref} removes or renames ${old.name}; ${other.ref} adds ${used.entity.name}.${used.field.name} of this type`,
                suggestion: 'use the new name, or keep the old one',
              }),
            );
        }),
    );
  });
}

function typesIn({ entities = [] }: DataFacts): Entity[] {
  return entities.filter(({ form }) => form === 'protobuf');
}

function typesOf(changed: readonly ChangedData[]): Set<string> {
  return new Set(changed.flatMap(({ after }) => typesIn(after).map(({ name }) => name)));
}

/** The known type that a field names: one inside its message, one beside it, or one with its full name. */
function typeOf(written: string | null, message: string, known: ReadonlySet<string>): string | null {
  if (written === null) return null;
  const beside = message.slice(0, message.lastIndexOf('.') + 1);
  const full = written.replace(/^\./, '');
  const names = [`${message}.${written}`, `${beside}${written}`, ...(full.includes('.') ? [full] : [])];
  return names.find((name) => known.has(name)) ?? null;
}

function sighting(first: At<NewField>, second: At<NewField>, of: 'number' | 'name', value: string): Sighting {
  const say = ({ field }: NewField) => `${field.type ?? ''} ${field.name} = ${field.tag}`.trim();
  return {
    key: `message:${first.entity.name} ${value}`,
    provider: { ...first, line: first.field.line, name: first.field.name },
    sites: [{ ...second, line: second.field.line, name: second.field.name }],
    subject: [value, first.field.name],
    confidence: 'proven',
    message: `${first.side.ref} adds ${say(first)} and ${second.side.ref} adds ${say(second)} to ${first.entity.name}: both take the ${of} ${value}`,
    suggestion:
      of === 'number' ? 'give one of the two the next free number' : 'give one of the two another name',
  };
}
