import type { Parameter, Signature } from '#code/facts/facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import type { Heritage } from './classes.ts';
import { dottedName } from './expressions.ts';
import type { Names } from './names.ts';
import type { BindingSite, Scope } from './scopes.ts';
import { annotationText } from './signatures.ts';
import { Mark } from './surroundings.ts';

/** What generates a constructor from the fields of a class: a decorator, `NamedTuple`, or a base such as pydantic's. */
type RecordKind = 'dataclass' | 'attrs' | 'named-tuple' | 'model';

const dataclass = /(^|\.)dataclass$/;
const attrs = /^(attrs?\.)?(define|frozen|mutable|attrs|attrib?s)$|^attr\.s$/;
const fieldCall = /^(\w+\.)?(field|Field|ib|attrib)$/;
const classVariable = /^["']?(\w+\.)?ClassVar\b/;
const maybeNone = /\b(Optional|Any)\b|\bNone\b/;

const noTypeParameters = { min: 0, max: 0 };

/** Accepts anything: the source does not show what is accepted. */
const anything: Signature = {
  parameters: (['rest', 'keyword-rest'] as const).map((kind) => ({
    name: '',
    kind,
    required: false,
    default: null,
    type: null,
    typeName: null,
    shape: null,
  })),
  returns: null,
  generator: false,
  typeParameters: noTypeParameters,
};

/**
 * The parameters that the fields of a class add to its generated constructor; null when there are none. Linking finds out whether there is
 * such a constructor, and what bases add to it.
 */
export function recordSignature(
  bound: Bound,
  names: Names,
  node: NodeId,
  heritage: Heritage,
): Signature | null {
  const { tree } = bound;
  const scope = bound.scopeOf(node);
  const made = recordKind(tree, node, heritage);
  if (!scope || made === null || scope.bindings.has('__init__')) return null;
  const parameters: Parameter[] = [];
  let keywordOnly = made.kind === 'model' || made.options.get('kw_only') === 'True';
  if (made.options.get('init') === 'False' || hasAliases(tree, scope)) return anything;
  for (const [name, { sites }] of scope.bindings) {
    const site = sites.find(({ annotation }) => annotation !== none) ?? sites[0];
    if (site === undefined || !isField(tree, site, made.kind)) continue;
    const annotation = tree.textOf(site.annotation);
    if (classVariable.test(annotation) && sites.length === 1) continue;
    if (bound.hasMark(site.node, Mark.conditional) || sites.length > 1) return anything;
    if (/(^|\.)KW_ONLY$/.test(annotation)) {
      keywordOnly = true;
      continue;
    }
    const options = fieldOptions(tree, site.value);
    if (options === 'unknown') return anything;
    if (options?.get('init') === 'False') continue;
    if (made.kind === 'model' && name.startsWith('_')) continue;
    parameters.push({
      name: made.kind === 'attrs' ? name.replace(/^_+/, '') : name,
      kind: keywordOnly || options?.get('kw_only') === 'True' ? 'keyword-only' : 'positional',
      required: isRequired(site, options, made.kind, annotation),
      default: null,
      type: annotationText(tree, site.annotation),
      typeName: names.annotatedType(site.annotation),
      shape: null,
    });
  }
  if (made.kind === 'model' && parameters.length === 0) return null;
  return { parameters, returns: null, generator: false, typeParameters: noTypeParameters };
}

/** pydantic's settings can allow other names for fields. */
function hasAliases(tree: SyntaxTree, { bindings }: Scope): boolean {
  return ['model_config', 'Config'].some((name) =>
    bindings.get(name)?.sites.some(({ node }) => /alias/.test(tree.textOf(node))),
  );
}

interface Made {
  readonly kind: RecordKind;
  /** Keywords of the decorator. */
  readonly options: ReadonlyMap<string, string>;
}

function recordKind(tree: SyntaxTree, node: NodeId, heritage: Heritage): Made | null {
  for (const { name, options } of decorators(tree, node)) {
    if (dataclass.test(name)) return { kind: 'dataclass', options };
    if (attrs.test(name)) return { kind: 'attrs', options };
  }
  if (heritage.bases.some((base) => /(^|\.)NamedTuple$/.test(base)))
    return { kind: 'named-tuple', options: new Map() };
  const isPlain = !heritage.isOpen && !heritage.isEnum && heritage.metaclass === null;
  return isPlain && heritage.bases.length > 0 ? { kind: 'model', options: new Map() } : null;
}

function decorators(tree: SyntaxTree, node: NodeId): { name: string; options: Map<string, string> }[] {
  const wrapper = tree.parent(node);
  if (tree.kind(wrapper) !== 'decorated_definition') return [];
  return tree
    .children(wrapper)
    .filter((child) => tree.kind(child) === 'decorator')
    .map((decorator) => {
      const expression = tree.firstChild(decorator);
      const isCall = tree.kind(expression) === 'call';
      const callee = isCall ? tree.child(expression, 'function') : expression;
      return {
        name: dottedName(tree, callee)?.join('.') ?? '',
        options: isCall ? keywordsOf(tree, expression) : new Map<string, string>(),
      };
    });
}

function keywordsOf(tree: SyntaxTree, call: NodeId): Map<string, string> {
  const found = new Map<string, string>();
  for (const argument of tree.children(tree.child(call, 'arguments'))) {
    if (tree.kind(argument) === 'keyword_argument')
      found.set(tree.textOf(tree.child(argument, 'name')), tree.textOf(tree.child(argument, 'value')));
  }
  return found;
}

/** Annotated names of the body; for attrs also those recognised by their value. */
function isField(tree: SyntaxTree, site: BindingSite, kind: RecordKind): boolean {
  if (site.form !== 'assignment' && site.form !== 'declaration') return false;
  return site.annotation !== none || (kind === 'attrs' && isFieldCall(tree, site.value));
}

function isFieldCall(tree: SyntaxTree, value: NodeId): boolean {
  return tree.kind(value) === 'call' && fieldCall.test(tree.textOf(tree.child(value, 'function')));
}

/** The options of `field(…)`; null for any other value, `unknown` where names other than the field's may be accepted. */
function fieldOptions(tree: SyntaxTree, value: NodeId): ReadonlyMap<string, string> | 'unknown' | null {
  if (!isFieldCall(tree, value)) return null;
  const options = keywordsOf(tree, value);
  if (['validation_alias', 'alias_priority', 'alias'].some((name) => options.has(name))) return 'unknown';
  const [first] = tree.children(tree.child(value, 'arguments'));
  const isPositional = first !== undefined && tree.kind(first) !== 'keyword_argument';
  if (isPositional && tree.kind(first).includes('splat')) return 'unknown';
  // pydantic's `Field(...)` is required, `Field(3)` is not.
  if (isPositional && tree.textOf(first) !== '...') options.set('default', tree.textOf(first));
  return options;
}

function isRequired(
  { value }: BindingSite,
  options: ReadonlyMap<string, string> | null,
  kind: RecordKind,
  annotation: string,
): boolean {
  if (options !== null && ['default', 'default_factory', 'factory'].some((name) => options.has(name)))
    return options.get('default') === '...';
  if (options === null && value !== none) return false;
  // Earlier releases of pydantic give optional fields a default.
  return kind !== 'model' || !maybeNone.test(annotation);
}
