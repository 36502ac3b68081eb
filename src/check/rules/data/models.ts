import type { Spot, Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import { mayDefineData } from '#code/formats/index.ts';
import type { Entity, Field } from '#code/formats/shared/data-facts.ts';
import { conceptOf } from './changed-data.ts';
import { functionsToEntity } from './functions-to-entity.ts';

export interface MappedField {
  readonly entity: Entity;
  readonly field: Field;
  readonly file: string;
}

/** Model fields that are stored in a column, in the tree of a branch. */
export async function fieldsOfColumn(
  survey: Survey,
  side: SurveyedBranch,
  table: string,
  column: string,
): Promise<MappedField[]> {
  const files = await survey.holding(side.tree, wordsFor(table));
  const found: MappedField[] = [];
  for (const file of files.filter(mayDefineData).slice(0, mostFiles))
    for (const entity of (await survey.data(side.tree, file))?.entities ?? [])
      if (entity.layer === 'model' && entity.table === table)
        for (const field of entity.fields)
          if ((field.column ?? field.name) === column) found.push({ entity, field, file });
  return found;
}

/** A search with more results than this found a common word. */
const mostFiles = 60;

/** The table, and the class that a framework would derive its name from: `shop_user` is `User` of the app `shop`. */
function wordsFor(table: string): string[] {
  const last = table.split(/[._]/).at(-1) ?? table;
  return [...new Set([table, capital(last), capital(conceptOf(last))])];
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** A route that answers a call, and the functions between it and its answer. */
interface Answering extends Spot {
  readonly through: readonly (Spot & { readonly what: string })[];
}

/** Routes that answer a call and mention one of the entities: in the handler, or in functions it calls. */
export async function routesAnswering(
  survey: Survey,
  side: SurveyedBranch,
  called: string,
  entities: ReadonlySet<string>,
): Promise<Answering[]> {
  const [method = '', path = ''] = called.split(' ');
  const word = path.split('/').findLast((part) => part !== '' && part !== ':');
  if (word === undefined) return [];
  const files = await survey.holding(side.tree, [word]);
  const found: Answering[] = [];
  for (const file of files.filter(mayDefineData).slice(0, mostFiles)) {
    const routes = (await survey.data(side.tree, file))?.routes ?? [];
    for (const route of routes) {
      if ((route.method !== method && route.method !== 'ALL') || !endsWithPath(path, route.path)) continue;
      const isAbout = route.mentions?.some((name) => entities.has(conceptOf(name))) ?? false;
      const through = isAbout ? [] : await functionsToEntity(survey, side, { file, route, routes }, entities);
      if (through) found.push({ side, file, line: route.line, name: route.path, through });
    }
  }
  return found;
}

/** `/api/users` ends with `/users`: a router may be mounted below anything. */
export function endsWithPath(called: string, route: string): boolean {
  return called === route || (route !== '/' && called.endsWith(route));
}
