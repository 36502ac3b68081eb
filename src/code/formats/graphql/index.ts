import type {
  DefinitionNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  NameNode,
  TypeNode,
} from 'graphql';
import type { DataFacts, Entity } from '#code/formats/shared/data-facts.ts';
import { documentKind } from './document-kind.ts';

/** Types and operations, parsed with graphql-js. */
export async function readGraphql(_path: string, text: string): Promise<DataFacts | null> {
  const { parse, GraphQLError } = await import('graphql');
  try {
    const { definitions } = parse(text);
    const kind = documentKind(text);
    return {
      documents: [{ kind, text, line: 1 }],
      ...(kind === 'types' ? { entities: definitions.flatMap(entityOf) } : {}),
    };
  } catch (error) {
    if (text.replace(/#[^\n]*/g, '').trim() === '') return null;
    const line = error instanceof GraphQLError ? (error.locations?.[0]?.line ?? 1) : 1;
    return { problem: { line, message: (error as Error).message } };
  }
}

/** Entities of a document inside code; none when it does not parse, because its interpolated values are left out. */
export async function typesIn(text: string, firstLine: number): Promise<Entity[]> {
  const { entities = [] } = (await readGraphql('', text)) ?? {};
  const moved = (line: number) => line + firstLine - 1;
  return entities.map((entity) => ({
    ...entity,
    line: moved(entity.line),
    fields: entity.fields.map((field) => ({ ...field, line: moved(field.line) })),
  }));
}

function entityOf(definition: DefinitionNode): Entity[] {
  switch (definition.kind) {
    case 'ObjectTypeDefinition':
    case 'InterfaceTypeDefinition':
    case 'InputObjectTypeDefinition':
      return [entity(definition, 'GraphQL')];
    case 'ObjectTypeExtension':
    case 'InterfaceTypeExtension':
    case 'InputObjectTypeExtension':
      return [{ ...entity(definition, 'GraphQL extension'), open: true }];
    case 'EnumTypeDefinition':
    case 'ScalarTypeDefinition':
    case 'UnionTypeDefinition':
      return [
        {
          layer: 'graphql',
          form: 'GraphQL',
          name: definition.name.value,
          line: lineOf(definition),
          fields: [],
        },
      ];
    default:
      return [];
  }
}

function entity(
  definition: {
    readonly name: NameNode;
    readonly fields?: readonly (FieldDefinitionNode | InputValueDefinitionNode)[] | undefined;
  },
  form: string,
): Entity {
  return {
    layer: 'graphql',
    form,
    name: definition.name.value,
    line: lineOf(definition),
    fields: (definition.fields ?? []).map((field) => ({
      name: field.name.value,
      type: namedType(field.type).toLowerCase(),
      required: field.type.kind === 'NonNullType',
      line: lineOf(field),
    })),
  };
}

/** A description precedes its target, so the line of the name counts. */
function lineOf({ name }: { readonly name: NameNode }): number {
  return name.loc?.startToken.line ?? 1;
}

function namedType(type: TypeNode): string {
  return type.kind === 'NamedType' ? type.name.value : namedType(type.type);
}
