import type { Callable, CodeModel, Shape } from '#contract/shapes.ts';
import { type Found, type Judged, type Part, sumOf } from './judged.ts';
import { allFields, type Entity, fieldLike, fieldNamed, nameInCode, shapesFor } from './lookup.ts';
import { judgeNamed } from './named.ts';
import { sameType, statedName } from './signature.ts';

/** Whether an entity exists with the fields that others rely on. */
export function judgeEntity(model: CodeModel, entity: Entity): Judged {
  const { name, createdByTask } = entity;
  return { kind: 'entity', name, task: createdByTask, ...judge(model, entity) };
}

function judge(model: CodeModel, entity: Entity): Part {
  const unread = entity.path === undefined ? null : (model.files.get(entity.path)?.problem ?? null);
  if (unread !== null) return undecided(`${entity.path} cannot be read: ${unread}`);
  switch (entity.type) {
    case 'file':
      return judgeFile(model, entity);
    case 'function':
      return judgeFunction(model, entity);
    case 'database':
      return judgeTable(model, entity);
    case 'type':
      return judgeType(model, entity);
    case 'route':
    case 'event':
      return judgeNamed(model, entity);
  }
}

function judgeFile(model: CodeModel, { path, keyFields }: Entity): Part {
  if (path === undefined) return missing('the contract names no path');
  // `a/<id>/b` matches many files: the folder above must exist.
  const isPattern = path.includes('<');
  const fixed = isPattern ? path.slice(0, path.indexOf('<')).replace(/\/[^/]*$/, '') : path;
  if (
    isPattern
      ? fixed !== '' && !model.isFolder(fixed)
      : !model.has(path) && !model.isFolder(path.replace(/\/$/, ''))
  )
    return missing(`there is no ${fixed}`);
  const here: Found = { file: fixed, line: null, what: isPattern ? 'folder' : 'file' };
  const there: Part = { status: 'satisfied', detail: `${fixed} is there`, evidence: [here] };
  const names = model.files.get(path)?.names ?? null;
  if (keyFields.length === 0) return there;
  if (names === null)
    return { ...undecided(`what ${path} offers is not read in this format`), evidence: [here] };
  return sumOf([
    there,
    ...keyFields.map((field): Part => {
      const { name } = statedName(field);
      const line = names.get(name);
      return line === undefined
        ? missing(`${path} has no ${name}`)
        : { status: 'satisfied', detail: '', evidence: [{ file: path, line, what: name }] };
    }),
  ]);
}

function judgeFunction(model: CodeModel, { path, function: written, name, keyFields }: Entity): Part {
  const stated = statedName(written ?? name);
  const named = model.callables.filter(
    (each) => each.name === stated.name || each.name.endsWith(`.${stated.name}`),
  );
  const found = named.filter(({ file }) => path === undefined || file === path);
  const [only] = found;
  if (!only) {
    if (path !== undefined && model.has(path) && model.files.get(path)?.names === null)
      return undecided(`functions of ${path} are not read: its language is compared as text only`);
    const [elsewhere] = named;
    return elsewhere && path !== undefined
      ? {
          status: 'contradicted',
          detail: `${stated.name} is in ${elsewhere.file}, not in ${path}`,
          evidence: [placeOf(elsewhere)],
        }
      : missing(`there is no function ${stated.name}${path === undefined ? '' : ` in ${path}`}`);
  }
  // Overloads: one that matches the contract is enough.
  const judged = found.map((each) => judgeSignature(each, stated, keyFields));
  return judged.find(({ status }) => status === 'satisfied') ?? judged[0] ?? missing('');
}

function judgeSignature(
  found: Callable,
  stated: ReturnType<typeof statedName>,
  keyFields: readonly string[],
): Part {
  const evidence = [placeOf(found)];
  const parts: Part[] = [{ status: 'satisfied', detail: `${found.name} is there`, evidence }];
  const say = (status: Part['status'], detail: string) => parts.push({ status, detail, evidence: [] });
  // `self` and `cls` of Python are not part of the contract, and a destructured parameter has no name.
  const taken = found.parameters.filter(({ name }, index) => index > 0 || !/^(?:self|cls)$/.test(name));
  if (stated.parameters) {
    const written = taken.map(({ name }) => name || '_').join(', ');
    const agreed = stated.parameters.map(({ name }) => name).join(', ');
    const isSame = taken.every(
      (own, index) =>
        own.name === stated.parameters?.[index]?.name ||
        (own.name === '' && index < (stated.parameters?.length ?? 0)) ||
        !own.isRequired,
    );
    if (!isSame || stated.parameters.length > taken.length)
      say('contradicted', `${found.name} takes (${written}), agreed were (${agreed})`);
    for (const [index, wanted] of stated.parameters.entries()) {
      const own = taken[index];
      if (own?.name !== wanted.name) continue;
      if (own.isRequired && !wanted.isRequired)
        say('contradicted', `${found.name} demands ${wanted.name}, which was agreed to be optional`);
      comparedTypes(`parameter ${wanted.name}`, wanted.type, own.type, say);
    }
  }
  comparedTypes('the result', stated.type, found.returns, say);
  for (const field of keyFields) {
    const { name, type } = statedName(field);
    const own = found.parameters.find((each) => each.name === name || each.name === `...${name}`);
    if (own) comparedTypes(`parameter ${name}`, type, own.type, say);
    else say('missing', `${found.name} has no parameter ${name}`);
  }
  return sumOf(parts);
}

function comparedTypes(
  what: string,
  wanted: string | null,
  own: string | null,
  say: (status: Part['status'], detail: string) => void,
): void {
  if (wanted === null) return;
  if (own === null) say('partial', `${what} has no type, agreed was ${wanted}`);
  else if (!sameType(wanted, own)) say('contradicted', `${what} is ${own}, agreed was ${wanted}`);
}

function judgeType(model: CodeModel, entity: Entity): Part {
  const { path, keyFields } = entity;
  const name = nameInCode(entity);
  const [shape] = shapesFor(model, entity);
  if (shape) return judgeFields(model, shape, keyFields);
  const [elsewhere] = model.shapes.filter((each) => each.kind !== 'migration' && each.name === name);
  if (elsewhere && path !== undefined)
    return {
      status: 'contradicted',
      detail: `${name} is in ${elsewhere.file}, not in ${path}`,
      evidence: [placeOf(elsewhere)],
    };
  if (path !== undefined && model.has(path) && (model.files.get(path)?.names ?? null) === null)
    return undecided(`types of ${path} are not read: its language is compared as text only`);
  const line = path === undefined ? undefined : model.files.get(path)?.names?.get(name);
  if (path !== undefined && line !== undefined)
    return {
      ...undecided(`${name} is there, but what it consists of cannot be read`),
      evidence: [{ file: path, line, what: name }],
    };
  return missing(`there is no type ${name}${path === undefined ? '' : ` in ${path}`}`);
}

/** Models and migrations must both have every key field: a column that only one of them has is a contradiction. */
function judgeTable(model: CodeModel, entity: Entity): Part {
  const { table, keyFields } = entity;
  const name = nameInCode(entity);
  const shapes = shapesFor(model, entity);
  const unread = [...model.files].find(([, { hidesTables }]) => hidesTables);
  if (unread !== undefined) return undecided(`${unread[0]} cannot be read: ${unread[1].problem}`);
  if (shapes.length === 0) return missing(`no model and no migration has a table ${table ?? name}`);
  const parts = shapes.map((shape) => judgeFields(model, shape, keyFields));
  const [one] = parts;
  if (parts.length === 1 && one) return one;
  const isSplit =
    parts.some(({ status }) => status === 'satisfied') && parts.some(({ status }) => status === 'partial');
  const whole = sumOf(parts);
  if (!isSplit) return whole;
  const bad = shapes.filter((_, index) => parts[index]?.status === 'partial');
  return {
    ...whole,
    status: 'contradicted',
    detail: `${bad.map(({ file, kind }) => `the ${kind} in ${file}`).join(', ')} disagrees: ${whole.detail}`,
  };
}

function judgeFields(model: CodeModel, shape: Shape, keyFields: readonly string[]): Part {
  const { fields, open } = allFields(model, shape);
  const own = shape.kind === 'migration' ? `table ${shape.table}` : shape.name;
  return sumOf([
    { status: 'satisfied', detail: `${own} is there`, evidence: [placeOf(shape)] },
    ...keyFields.map((written): Part => {
      const { name, type } = statedName(written);
      const field = fieldNamed(fields, name);
      if (field) {
        const evidence = [placeOf({ ...field, name: `${shape.name}.${field.name}` })];
        if (type === null || shape.kind === 'migration') return { status: 'satisfied', detail: '', evidence };
        if (field.type === null)
          return { status: 'partial', detail: `${own}.${name} has no type, agreed was ${type}`, evidence };
        return sameType(type, field.type)
          ? { status: 'satisfied', detail: '', evidence }
          : {
              status: 'contradicted',
              detail: `${own}.${name} is ${field.type}, agreed was ${type}`,
              evidence,
            };
      }
      const like = fieldLike(fields, name);
      if (like)
        return {
          status: 'contradicted',
          detail: `${own} has ${like.name} where ${name} was agreed`,
          evidence: [placeOf({ ...like, name: `${shape.name}.${like.name}` })],
        };
      return open === null
        ? missing(`${own} has no ${name}`)
        : undecided(`whether ${own} has ${name} is not known: ${open}`);
    }),
  ]);
}

function placeOf({ file, line, name }: { file: string; line: number; name: string }): Found {
  return { file, line, what: name };
}

function missing(detail: string): Part {
  return { status: 'missing', detail, evidence: [] };
}

function undecided(detail: string): Part {
  return { status: 'undecided', detail, evidence: [] };
}
