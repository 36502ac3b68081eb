import type { CodeModel, Field, Shape } from '#contract/shapes.ts';
import type { Contract } from '#schema/contract.ts';
import { bare } from './judged.ts';

export type Entity = Contract['entities'][number];

/** The name in the code: a draft distinguishes two items of one name by their files, `shop/a.py#Order`. */
export function nameInCode({ name, path }: Pick<Entity, 'name' | 'path'>): string {
  return path !== undefined && name.startsWith(`${path}#`) ? name.slice(path.length + 1) : name;
}

export function shapesFor(model: CodeModel, entity: Entity): Shape[] {
  const { type, table, path } = entity;
  const name = nameInCode(entity);
  if (type === 'database') {
    const wanted = table ?? name;
    const byTable = model.shapes.filter((shape) => shape.table?.toLowerCase() === wanted.toLowerCase());
    if (byTable.length > 0) return byTable;
    return model.shapes.filter((shape) => shape.kind === 'model' && shape.name === name);
  }
  if (type !== 'type') return [];
  const named = model.shapes.filter((shape) => shape.kind !== 'migration' && shape.name === name);
  return path === undefined ? named : named.filter(({ file }) => file === path);
}

/** Fields of a shape and its bases. `open`: why there may be more. */
export function allFields(model: CodeModel, shape: Shape): { fields: Field[]; open: string | null } {
  const fields = [...shape.fields];
  let open = shape.openBecause;
  const seen = new Set([shape]);
  const queue = [...shape.bases];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const called = name.split('.').at(-1) ?? name;
    const found = model.shapes.filter((each) => each.name === called && each.kind !== 'migration');
    const own = found.find(({ file }) => file === shape.file) ?? (found.length === 1 ? found[0] : undefined);
    if (!own && harmless.has(called)) continue;
    if (!own) open ??= `it extends ${name}, which was not found`;
    else if (!seen.has(own)) {
      seen.add(own);
      fields.push(...own.fields);
      open ??= own.openBecause;
      queue.push(...own.bases);
    }
  }
  return { fields, open };
}

/** Library base classes without fields that a contract would name. */
const harmless = new Set([
  ...[
    'object',
    'ABC',
    'Generic',
    'Protocol',
    'Enum',
    'Model',
    'SQLModel',
    'BaseModel',
    'DeclarativeBase',
    'Base',
  ],
  ...['NamedTuple', 'TypedDict', 'BaseEntity'],
]);

export function fieldNamed(fields: readonly Field[], name: string): Field | undefined {
  const wanted = name.toLowerCase();
  return (
    fields.find((field) => field.name === name || field.aliases.includes(name)) ??
    fields.find((field) => [field.name, ...field.aliases].some((each) => each.toLowerCase() === wanted))
  );
}

/** Finds a field in another spelling: `userId` where the contract says `user_id`. */
export function fieldLike(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => [field.name, ...field.aliases].some((each) => bare(each) === bare(name)));
}
