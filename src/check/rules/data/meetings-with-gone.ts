import type { Spot, Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import { type At, type ChangedData, conceptOf, newFields, newUses, plainName } from './changed-data.ts';
import type { Gone } from './gone.ts';
import { fieldsOfColumn, type MappedField, routesAnswering } from './models.ts';

/** A place that names what another branch removed, and how it gets there. */
export interface Meeting {
  readonly spot: Spot;
  /** `SQL`, `a model`, `a client`. */
  readonly via: string;
  readonly isCertain: boolean;
  /** The steps between the column and the place: the model, the route. */
  readonly hops: readonly (Spot & { readonly what: string })[];
}

/** New places in a branch that name what is gone. */
export async function meetingsWith(
  survey: Survey,
  gone: At<Gone>,
  side: SurveyedBranch,
  own: readonly ChangedData[],
): Promise<Meeting[]> {
  const { table, name } = gone;
  const found: Meeting[] = [];
  for (const use of own.flatMap(newUses))
    if (use.kind === 'table' && use.of === table && (name === null || use.name === name))
      found.push({
        spot: { side, file: use.file, line: use.line, name: use.name },
        via: use.via,
        isCertain: use.certain === true,
        hops: [],
      });
  if (name === null || !mentions(own, name)) return found;
  return [...found, ...(await throughEntities(survey, gone, name, side, own))];
}

/** Whether anything new in a branch has the name at all: otherwise no search is needed. */
function mentions(own: readonly ChangedData[], name: string): boolean {
  const plain = plainName(name);
  return own.some(
    (changed) =>
      newUses(changed).some((use) => use.kind !== 'table' && plainName(use.name) === plain) ||
      newFields(changed).some(({ field }) => plainName(field.column ?? field.name) === plain),
  );
}

/** Model fields that lose their column; not those that the other branch keeps under their names. */
async function modelsThatLose(
  survey: Survey,
  gone: At<Gone>,
  name: string,
  side: SurveyedBranch,
): Promise<MappedField[]> {
  if (gone.table === null) return [];
  const lost: MappedField[] = [];
  for (const mapped of await fieldsOfColumn(survey, side, gone.table, name)) {
    const now = await survey.data(gone.side.tree, mapped.file);
    const kept = now?.entities?.some(
      (entity) =>
        entity.name === mapped.entity.name &&
        entity.fields.some(
          (field) => field.name === mapped.field.name && (field.column ?? field.name) !== name,
        ),
    );
    if (!kept) lost.push(mapped);
  }
  return lost;
}

async function throughEntities(
  survey: Survey,
  gone: At<Gone>,
  name: string,
  side: SurveyedBranch,
  own: readonly ChangedData[],
): Promise<Meeting[]> {
  const models = await modelsThatLose(survey, gone, name, side);
  const hops = models.map(({ entity, field, file }) => ({
    side,
    file,
    line: field.line,
    name: field.name,
    what: `${entity.form} model ${entity.name}.${field.name}`,
  }));
  const entities = new Set([
    ...models.map(({ entity }) => conceptOf(entity.name)),
    ...(gone.entity === null ? [] : [conceptOf(gone.entity)]),
  ]);
  const plain = plainName(name);
  const found: Meeting[] = [];
  for (const use of own.flatMap(newUses)) {
    if (use.kind === 'table' || plainName(use.name) !== plain) continue;
    const spot = { side, file: use.file, line: use.line, name: use.name };
    if (use.kind === 'entity' && entities.has(conceptOf(use.of)))
      found.push({ spot, via: use.via, isCertain: false, hops });
    if (use.kind === 'route') {
      const routes = await routesAnswering(survey, side, use.of, entities);
      const own = routes.flatMap(({ through, ...route }) => [
        ...through.toReversed(),
        { ...route, what: `route ${use.of}` },
      ]);
      if (routes.length > 0) found.push({ spot, via: use.via, isCertain: false, hops: [...hops, ...own] });
    }
  }
  for (const { entity, field, file } of own.flatMap(newFields)) {
    const isColumn =
      entity.layer === 'model' && entity.table === gone.table && (field.column ?? field.name) === name;
    const isAbout = entity.layer !== 'table' && entities.has(conceptOf(entity.name));
    // The table of the model is not the one that lost the column.
    const isElsewhere = entity.layer === 'model' && gone.table !== null && entity.table !== gone.table;
    if (!isColumn && (!isAbout || isElsewhere || plainName(field.name) !== plain)) continue;
    found.push({
      spot: { side, file, line: field.line, name: field.name },
      via: `${entity.form} ${entity.name}.${field.name}`,
      isCertain: false,
      hops: hops.filter((hop) => hop.file !== file || hop.line !== field.line),
    });
  }
  return found;
}
