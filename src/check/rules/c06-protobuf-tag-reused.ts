import { type At, changedData, type NewField, newFields } from './data/changed-data.ts';
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
  what: 'Two branches add a field to one protobuf message, or a value to one enum, with the same number or the same name, or one adds a field with a number or name that the other one reserves. The merged file does not compile.',
  example: { a: ['+ string phone = 7;'], b: ['+ int64 score = 7;'] },
  move: 'Give one of the two the next free number.',
  proof: ['proven'],
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
  return found;
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
