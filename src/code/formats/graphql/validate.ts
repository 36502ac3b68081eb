import type { GraphQLSchema } from 'graphql';

export interface SchemaOfTree {
  /** Error messages of an operation; null when it cannot be parsed. */
  errorsOf(operation: string): readonly string[] | null;
}

/** Builds a schema from all documents of a tree; null when they do not form a valid one. */
export async function openSchema(documents: readonly string[]): Promise<SchemaOfTree | null> {
  const { buildASTSchema, concatAST, parse, specifiedRules, validate, validateSchema } = await import(
    'graphql'
  );
  let schema: GraphQLSchema;
  try {
    // Directives of servers and gateways are declared elsewhere.
    schema = buildASTSchema(concatAST(documents.map((text) => parse(text))), { assumeValidSDL: true });
    if (validateSchema(schema).length > 0) return null;
  } catch {
    return null;
  }
  // Fragments and directives may be defined in other documents.
  const rules = specifiedRules.filter(
    ({ name }) => !/Fragment|KnownDirectives|UniqueOperation|LoneAnonymous/.test(name),
  );
  return {
    errorsOf(operation) {
      try {
        return validate(schema, parse(operation), rules).map(({ message }) => message);
      } catch {
        return null;
      }
    },
  };
}
