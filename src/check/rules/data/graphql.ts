import type { Survey } from '#check/rules/survey/survey.ts';
import { openSchema, type SchemaOfTree } from '#code/formats/graphql/validate.ts';
import { mayDefineData } from '#code/formats/index.ts';
import type { GitTree } from '#git/trees/tree.ts';

/** Schemas of trees, each built once from all documents of the tree that define types. */
export function graphqlSchemas(survey: Survey): (tree: GitTree) => Promise<SchemaOfTree | null> {
  const known = new Map<string, Promise<SchemaOfTree | null>>();
  return (tree) => {
    const schema = known.get(tree.id) ?? build(survey, tree);
    known.set(tree.id, schema);
    return schema;
  };
}

async function build(survey: Survey, tree: GitTree): Promise<SchemaOfTree | null> {
  const documents: string[] = [];
  for (const file of await survey.holding(tree, ['type', 'input', 'interface', 'scalar', 'enum'])) {
    if (!mayDefineData(file)) continue;
    const isDocument = /\.(?:graphqls?|gql)$/.test(file);
    if (!isDocument && !/\b(?:gql|graphql)\b/.test((await survey.read(tree, file)) ?? '')) continue;
    const facts = await survey.data(tree, file);
    // A document that cannot be parsed may define anything.
    if (facts?.problem && isDocument) return null;
    for (const { kind, text } of facts?.documents ?? []) if (kind === 'types') documents.push(text);
  }
  return documents.length === 0 ? null : openSchema(documents);
}
