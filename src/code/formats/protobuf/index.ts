import type { Enum, ReflectionObject, Type } from 'protobufjs';
import type { DataFacts, Entity } from '#code/formats/shared/data-facts.ts';

/** Messages, parsed with protobufjs. */
export async function readProtobuf(_path: string, text: string): Promise<DataFacts | null> {
  const { default: protobuf } = await import('protobufjs');
  try {
    const { root } = protobuf.parse(text, { keepCase: true });
    const entities: Entity[] = [];
    const open: ReflectionObject[] = [...root.nestedArray];
    for (let each = open.shift(); each; each = open.shift()) {
      if (each instanceof protobuf.Type) entities.push(messageOf(each, text));
      if (each instanceof protobuf.Enum && each.options?.allow_alias !== true)
        entities.push(enumOf(each, text));
      if (each instanceof protobuf.Namespace) open.push(...each.nestedArray);
    }
    return entities.length === 0 ? null : { entities };
  } catch (error) {
    const message = (error as Error).message;
    const [, line] = /line (\d+)/.exec(message) ?? [];
    return { problem: { line: Number(line ?? 1), message } };
  }
}

function messageOf(type: Type, text: string): Entity {
  const start = new RegExp(`\\bmessage\\s+${type.name}\\b`).exec(text)?.index ?? 0;
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  return {
    layer: 'message',
    form: 'protobuf',
    name: type.fullName.replace(/^\./, ''),
    line: lineAt(start),
    fields: type.fieldsArray.map((field) => {
      const found = new RegExp(`\\b${field.name}\\s*=\\s*${field.id}\\b`).exec(text.slice(start));
      return {
        name: field.name,
        type: field.type,
        required: field.required,
        tag: field.id,
        line: lineAt(start + (found?.index ?? 0)),
      };
    }),
    ...reservedOf(type),
  };
}

function enumOf({ name, fullName, values }: Enum, text: string): Entity {
  const start = new RegExp(`\\benum\\s+${name}\\b`).exec(text)?.index ?? 0;
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  return {
    layer: 'message',
    form: 'protobuf',
    name: fullName.replace(/^\./, ''),
    line: lineAt(start),
    fields: Object.entries(values).map(([value, tag]) => {
      const found = new RegExp(`\\b${value}\\s*=`).exec(text.slice(start));
      return { name: value, type: null, required: false, tag, line: lineAt(start + (found?.index ?? 0)) };
    }),
  };
}

const longestRange = 1000;

function reservedOf({ reserved = [] }: Type): { reserved?: string[] } {
  const all = reserved.flatMap((each) => {
    if (typeof each === 'string') return [each];
    const [from = 0, to = 0] = each;
    return to - from > longestRange
      ? []
      : Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  });
  return all.length === 0 ? {} : { reserved: all };
}
