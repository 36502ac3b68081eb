import type { Entity, Field } from '#code/formats/shared/data-facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { type Assigned, assignments, bindingsIn, callAt, descendants, dotted, stringOf } from './tree.ts';

type LineOf = (offset: number) => number;

/** A class that declares data: SQLAlchemy, Django, Pydantic, a dataclass, a TypedDict, Strawberry. */
export function shapeAt(tree: SyntaxTree, node: NodeId, app: string, lineOf: LineOf): Entity[] {
  if (tree.kind(node) !== 'class_definition') return [];
  const name = tree.textOf(tree.child(node, 'name'));
  const bases = tree.children(tree.child(node, 'superclasses')).map((base) => dotted(tree, base));
  const body = tree.child(node, 'body');
  const own = assignments(tree, body);
  const line = lineOf(tree.start(tree.child(node, 'name')));
  const decorators = decoratorsOf(tree, node);
  const table = own.find((each) => each.name === '__tablename__');
  if (table) return [sqlalchemy(tree, { name, line }, stringOf(tree, table.value), own, bases, lineOf)];
  if (bases.some((base) => /(?:^|\.)models\.Model$|^Model$/.test(base)) || hasModelFields(tree, own))
    return [django(tree, { name, line }, body, own, app, lineOf)];
  const form = plainForm(bases, decorators);
  if (form === null) return [];
  const known = new Set(['BaseModel', 'TypedDict', 'SQLModel', 'ObjectType']);
  const isOpen = bases.some((base) => base !== '' && !known.has(base.split('.').at(-1) ?? ''));
  return [
    {
      layer: form === 'Strawberry' || form === 'Graphene' ? 'graphql' : 'schema',
      form,
      name,
      line,
      fields: own.flatMap((each) => plainField(tree, each, form, lineOf)),
      ...(isOpen ? { open: true as const } : {}),
    },
  ];
}

/** `name = models.CharField(…)`: a Django model, although it derives from a model of the project. */
function hasModelFields(tree: SyntaxTree, own: readonly Assigned[]): boolean {
  return own.some(({ value }) => /^models\.(?:\w+Field|ForeignKey)$/.test(callAt(tree, value)?.name ?? ''));
}

function plainForm(bases: readonly string[], decorators: readonly string[]): string | null {
  const last = bases.map((base) => base.split('.').at(-1) ?? '');
  if (decorators.some((each) => /^strawberry\.(?:type|input)$/.test(each))) return 'Strawberry';
  if (last.includes('ObjectType')) return 'Graphene';
  if (last.some((base) => /^(?:BaseModel|SQLModel)$/.test(base))) return 'Pydantic';
  if (last.includes('TypedDict')) return 'TypedDict';
  return decorators.some((each) => /(?:^|\.)(?:dataclass|define|attrs)$/.test(each)) ? 'dataclass' : null;
}

function decoratorsOf(tree: SyntaxTree, node: NodeId): string[] {
  const parent = tree.parent(node);
  if (tree.kind(parent) !== 'decorated_definition') return [];
  return tree.children(parent).flatMap((each) => {
    if (tree.kind(each) !== 'decorator') return [];
    const expression = tree.firstChild(each);
    return [callAt(tree, expression)?.name ?? dotted(tree, expression)];
  });
}

function plainField(
  tree: SyntaxTree,
  { name, type, value, node }: Assigned,
  form: string,
  lineOf: LineOf,
): Field[] {
  if (name.startsWith('_') || name === 'model_config') return [];
  if (form === 'Graphene') {
    const call = callAt(tree, value);
    return call
      ? [
          {
            name,
            type: call.name.split('.').at(-1)?.toLowerCase() ?? null,
            required: false,
            line: lineOf(tree.start(node)),
          },
        ]
      : [];
  }
  if (type === null) return [];
  return [
    {
      name,
      type: plainType(type),
      required: value === none && !/\bNone\b|Optional\[/.test(type),
      line: lineOf(tree.start(node)),
    },
  ];
}

/** `str` for `str | None`, `Optional[str]`, `Mapped[str]`. */
function plainType(written: string): string {
  return written
    .replace(/(?<!\s)\s*\|\s*None\b|\bNone\s*\|\s*/g, '')
    .replace(/^(?:Optional|Mapped|Annotated|Required|NotRequired)\[([^,]*)(?:,.*)?\]$/s, '$1')
    .replace(/^Optional\[(.*)\]$/s, '$1')
    .trim()
    .toLowerCase();
}

function sqlalchemy(
  tree: SyntaxTree,
  at: { readonly name: string; readonly line: number },
  table: string | null,
  own: readonly Assigned[],
  bases: readonly string[],
  lineOf: LineOf,
): Entity {
  const fields = own.flatMap((each): Field[] => {
    const call = callAt(tree, each.value);
    const maker = call?.name.split('.').at(-1) ?? '';
    const isMapped = each.type !== null && /^(?:orm\.)?Mapped\[/.test(each.type);
    if (/^relationship$/.test(maker) || (!isMapped && !/^(?:Column|mapped_column)$/.test(maker))) return [];
    const [first, second] = call?.args ?? [];
    const named = stringOf(tree, first);
    const typed = named === null ? first : second;
    const sqlType = typed === undefined ? null : (callAt(tree, typed)?.name ?? dotted(tree, typed));
    const nullable = call?.keywords.get('nullable');
    return [
      {
        name: each.name,
        ...(named !== null && named !== each.name ? { column: named } : {}),
        type: sqlType
          ? (sqlType.split('.').at(-1)?.toLowerCase() ?? null)
          : each.type
            ? plainType(each.type)
            : null,
        required: nullable !== undefined && tree.kind(nullable) === 'false',
        line: lineOf(tree.start(each.node)),
      },
    ];
  });
  const isOpen = bases.filter((base) => !/^(?:Base|DeclarativeBase|db\.Model|Model)$/.test(base)).length > 0;
  return {
    layer: 'model',
    form: 'SQLAlchemy',
    ...at,
    ...(table === null ? {} : { table }),
    fields,
    ...(isOpen ? { open: true as const } : {}),
  };
}

function django(
  tree: SyntaxTree,
  at: { readonly name: string; readonly line: number },
  body: NodeId,
  own: readonly Assigned[],
  app: string,
  lineOf: LineOf,
): Entity {
  const fields = own.flatMap((each): Field[] => {
    const call = callAt(tree, each.value);
    const kind = call?.name.split('.').at(-1) ?? '';
    if (!/Field$|^(?:ForeignKey|OneToOneField)$/.test(kind) || kind === 'ManyToManyField') return [];
    const column = stringOf(tree, call?.keywords.get('db_column'));
    const stored = column ?? (/^(?:ForeignKey|OneToOneField)$/.test(kind) ? `${each.name}_id` : each.name);
    const nullable = call?.keywords.get('null');
    return [
      {
        name: each.name,
        ...(stored === each.name ? {} : { column: stored }),
        type: kind.replace(/Field$/, '').toLowerCase(),
        required: nullable === undefined || tree.kind(nullable) !== 'true',
        line: lineOf(tree.start(each.node)),
      },
    ];
  });
  return {
    layer: 'model',
    form: 'Django',
    ...at,
    table: metaTable(tree, body) ?? djangoTable(app, at.name),
    fields,
  };
}

export function djangoTable(app: string, model: string): string {
  return `${app}_${model.toLowerCase()}`;
}

function metaTable(tree: SyntaxTree, body: NodeId): string | null {
  for (const each of tree.children(body)) {
    if (tree.kind(each) !== 'class_definition' || tree.textOf(tree.child(each, 'name')) !== 'Meta') continue;
    const named = assignments(tree, tree.child(each, 'body')).find(({ name }) => name === 'db_table');
    if (named) return stringOf(tree, named.value);
  }
  return null;
}

/** Fields of a model that a query names: `User.objects.filter(name=…)`, `filter_by(name=…)`, `.values('name')`. */
export function queryFields(tree: SyntaxTree, node: NodeId): { model: string; names: string[] } | null {
  const call = callAt(tree, node);
  if (!call) return null;
  const method = call.name.split('.').at(-1) || tailOf(tree, tree.child(node, 'function'));
  const byKeyword = /^(?:filter|exclude|get|create|update|get_or_create|filter_by)$/.test(method);
  const byName = /^(?:values|values_list|order_by|only|defer|distinct)$/.test(method);
  if (!byKeyword && !byName) return null;
  const model = modelOf(tree, node);
  if (model === null) return null;
  const names = byKeyword
    ? [...call.keywords.keys()].map((name) => name.split('__')[0] ?? '')
    : call.args.flatMap((each) => stringOf(tree, each)?.replace(/^-/, '').split('__')[0] ?? []);
  return { model, names: names.filter((name) => /^[a-z]\w*$/.test(name) && name !== 'pk') };
}

/** Attributes of queried models and of query results: `User.name`, `user = session.get(User, 1)`, then `user.name`. */
export function modelReads(tree: SyntaxTree): { model: string; name: string; node: NodeId }[] {
  const models = new Set<string>();
  const holds = new Map<string, string>();
  const found: { model: string; name: string; node: NodeId }[] = [];
  const bind = (node: NodeId) => {
    const right = tree.child(node, 'right');
    const model =
      tree.kind(right) === 'identifier' ? holds.get(tree.textOf(right)) : queriedModel(tree, right);
    const name = tree.textOf(tree.child(node, 'left'));
    if (model === undefined || model === null) holds.delete(name);
    else {
      holds.set(name, model);
      models.add(model);
    }
  };
  for (const node of descendants(tree, 0)) {
    for (const each of bindingsIn(tree, node)) bind(each);
    switch (tree.kind(node)) {
      case 'call': {
        const model = queriedModel(tree, node);
        if (model !== null) models.add(model);
        for (const each of queriedColumns(tree, node)) models.add(each);
        break;
      }
      case 'attribute': {
        const of = tree.child(node, 'object');
        if (tree.kind(of) !== 'identifier') break;
        const owner = tree.textOf(of);
        const model = holds.get(owner) ?? (/^[A-Z]/.test(owner) ? owner : undefined);
        if (model !== undefined) found.push({ model, name: tailOf(tree, node), node });
      }
    }
  }
  return found.filter(({ model }) => models.has(model));
}

/** The models of single columns that are asked for: `select(User.name, Team.id)`. The rows are not models then. */
function queriedColumns(tree: SyntaxTree, node: NodeId): string[] {
  const call = callAt(tree, node);
  if (!call || !/(?:^|\.)(?:query|select)$/.test(call.name)) return [];
  return call.args.flatMap((each) => /^([A-Z]\w*)\.\w+$/.exec(dotted(tree, each))?.[1] ?? []);
}

/** The one model that an expression queries: `session.get(User, id)`, `session.scalars(select(User).where(…))`, `User.objects.first()`. */
function queriedModel(tree: SyntaxTree, value: NodeId): string | null {
  if (!/^(?:call|await)$/.test(tree.kind(value))) return null;
  for (const each of [value, ...descendants(tree, value)]) {
    const call = callAt(tree, each);
    if (call && /(?:^|\.)(?:get|get_one|query|select)$/.test(call.name)) {
      const model = dotted(tree, call.args[0] ?? none);
      if (/^[A-Z]\w*$/.test(model)) return model;
    }
    if (/^(?:objects|query)$/.test(tailOf(tree, each))) {
      const model = dotted(tree, tree.child(each, 'object')).split('.').at(-1) ?? '';
      if (/^[A-Z]/.test(model)) return model;
    }
  }
  return null;
}

function tailOf(tree: SyntaxTree, node: NodeId): string {
  return tree.kind(node) === 'attribute' ? tree.textOf(tree.child(node, 'attribute')) : '';
}

/** The class that a chain of calls starts from: `User.objects`, `User.query`, `session.query(User)`, `select(User)`. */
function modelOf(tree: SyntaxTree, node: NodeId): string | null {
  const own = tree.child(node, 'function');
  for (const each of descendants(tree, own)) {
    if (/^(?:objects|query)$/.test(tailOf(tree, each))) {
      const model = dotted(tree, tree.child(each, 'object')).split('.').at(-1) ?? '';
      return /^[A-Z]/.test(model) ? model : null;
    }
    const call = callAt(tree, each);
    if (call && /(?:^|\.)(?:query|select)$/.test(call.name) && call.args.length === 1) {
      const model = dotted(tree, call.args[0] ?? none);
      return /^[A-Z]\w*$/.test(model) ? model : null;
    }
  }
  return null;
}
