import type { Definition, DefinitionKind, Failure, Members, TypeName } from '#code/facts/facts.ts';
import { givenKeys } from '#code/languages/shared/results.ts';
import { spanOf } from '#code/languages/tree-sitter/spans.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { noTokens } from '#code/lex/text-shape.ts';
import type { Bound } from './binder.ts';
import { type Heritage, heritageOf, type UnlistedMembers, unlistedMembers } from './classes.ts';
import { failuresOf } from './failures.ts';
import { fixtureType } from './fixtures.ts';
import { returnedType } from './handed-out.ts';
import { instanceFields } from './instance-fields.ts';
import { literalOf, literalUnion } from './literals.ts';
import { decoratorsOf } from './parameters.ts';
import type { Declaration } from './recorder.ts';
import { recordSignature } from './records.ts';
import { returnedKeys } from './returned-keys.ts';
import { type BindingSite, type Scope, site } from './scopes.ts';
import { signatureOf } from './signatures.ts';
import type { SourceFile } from './source-file.ts';
import { Mark } from './surroundings.ts';
import { hashOfText, shapeOf, type TextShape } from './text-shape.ts';

export function readDefinitions(file: SourceFile): Definition[] {
  return new DefinitionReader(file).read();
}

class DefinitionReader {
  readonly #file: SourceFile;
  readonly #bound: Bound;
  readonly #tree: SyntaxTree;
  readonly #unlisted: UnlistedMembers;
  readonly #failures: ReadonlyMap<NodeId, Failure>;
  readonly #shapes = new Map<NodeId, TextShape>();
  readonly #heritages = new Map<NodeId, Heritage>();

  constructor(file: SourceFile) {
    this.#file = file;
    this.#bound = file.bound;
    this.#tree = file.bound.tree;
    this.#unlisted = unlistedMembers(file.bound, file.names);
    this.#failures = failuresOf(file.bound.tree);
  }

  read(): Definition[] {
    const found: { at: number; definition: Definition }[] = [];
    for (const declaration of this.#bound.declarations) {
      const definition = this.#define(declaration);
      if (definition !== null) found.push({ at: this.#tree.start(declaration.site.name), definition });
      if (declaration.site.form === 'function') found.push(...this.#returnedKeys(declaration));
    }
    for (const { site, container, name, type } of instanceFields(this.#bound, this.#file.names)) {
      const definition = this.#variable(site, { name, container, kind: 'field', type, conditional: false });
      found.push({ at: this.#tree.start(site.name), definition });
    }
    return withPairs(found.sort((a, b) => a.at - b.at).map(({ definition }) => definition));
  }

  #define(declaration: Declaration): Definition | null {
    const { form, node } = declaration.site;
    switch (form) {
      case 'function':
        return this.#callable(declaration, node);
      case 'class':
        return this.#classLike(declaration, node);
      case 'assignment':
      case 'declaration':
      case 'target':
      case 'type-alias':
        return this.#assigned(declaration);
      default:
        return null;
    }
  }

  #callable({ scope, name, remote }: Declaration, node: NodeId): Definition {
    const tree = this.#tree;
    const decorators = decoratorsOf(tree, node);
    const afterName = tree.end(tree.child(node, 'name'));
    const shape = shapeOf(this.#file.form, afterName, tree.end(node));
    return {
      ...this.#common(node, decorators),
      name,
      container: containerOf(scope),
      kind: scope.kind === 'class' ? methodKind(name, decorators) : 'function',
      bodyHash: shape.hash,
      sketch: shape.sketch,
      signatureHash: hashOfText(this.#file.form, afterName, tree.start(tree.child(node, 'body'))),
      signature: signatureOf(this.#bound, this.#file.names, node),
      type:
        fixtureType(this.#bound, this.#file.names, node) ?? returnedType(this.#bound, this.#file.names, node),
      async: tree.text.startsWith('async', tree.start(node)),
      static: decorators.includes('staticmethod') || decorators.includes('classmethod'),
      abstract: decorators.some((decorator) => lastPart(decorator).startsWith('abstract')),
      overrides: decorators.some((decorator) => lastPart(decorator) === 'override'),
      failure: this.#failures.get(node) ?? noFailure,
      overload: decorators.some(isOverload),
      conditional: remote || scope.deleted.has(name) || this.#isConditional(node),
    };
  }

  /** The dictionary that a function returns, and its keys: `load.{}`, `load.{}.name`. */
  #returnedKeys({ scope, name, site: { node } }: Declaration): { at: number; definition: Definition }[] {
    const tree = this.#tree;
    const keys = returnedKeys(this.#bound, node);
    const isKept = decoratorsOf(tree, node).every((decorator) => keepsResult.has(lastPart(decorator)));
    // A class may answer for its methods itself.
    if (keys === null || !isKept || scope.bindings.has('__getattribute__')) return [];
    const owner = [containerOf(scope), name].filter((part) => part !== null).join('.');
    const common = this.#common(node, []);
    const whole = {
      ...common,
      name: givenKeys,
      container: owner,
      kind: 'variable',
      conditional: false,
    } as const;
    const members = { open: false };
    const at = tree.start(tree.child(node, 'name'));
    return [
      {
        at,
        definition: {
          ...whole,
          bodyHash: noShape.hash,
          sketch: noShape.sketch,
          signatureHash: noTokens,
          members,
        },
      },
      ...keys.map((key) => ({
        at: tree.start(key.at),
        definition: this.#variable(
          { ...site('assignment', key.at, key.at, key.value), value: key.value },
          {
            name: key.name,
            container: `${owner}.${givenKeys}`,
            kind: 'field',
            type: null,
            conditional: false,
          },
        ),
      })),
    ];
  }

  #classLike({ scope, name, remote }: Declaration, node: NodeId): Definition {
    const tree = this.#tree;
    const heritage = this.#heritage(node);
    const afterName = tree.end(tree.child(node, 'name'));
    const shape = shapeOf(this.#file.form, afterName, tree.end(node));
    const symbol = this.#bound.scopeOf(node)?.symbol ?? name;
    return {
      ...this.#common(node, [...decoratorsOf(tree, node), ...metaclassOf(heritage)]),
      name,
      container: containerOf(scope),
      kind: heritage.isEnum ? 'enum' : 'class',
      bodyHash: shape.hash,
      sketch: shape.sketch,
      signatureHash: hashOfText(this.#file.form, afterName, tree.start(tree.child(node, 'body'))),
      bases: heritage.bases,
      signature: recordSignature(this.#bound, this.#file.names, node, heritage),
      members: this.#membersOf(heritage, symbol),
      abstract: heritage.isAbstract,
      conditional: remote || scope.deleted.has(name) || this.#isConditional(node),
    };
  }

  #membersOf(heritage: Heritage, symbol: string): Members {
    const open = heritage.isOpen || this.#unlisted.open.has(symbol);
    return !open && this.#unlisted.lent.has(symbol) ? { open, lent: true } : { open };
  }

  #assigned({ scope, name, site, remote }: Declaration): Definition {
    const tree = this.#tree;
    const heritage = scope.kind === 'class' ? this.#heritage(scope.node) : null;
    const annotation = tree.textOf(site.annotation);
    const isAlias = site.form === 'type-alias' || /^(\w+\.)?TypeAlias$/.test(annotation);
    const isMember = heritage?.isEnum === true && site.form !== 'declaration' && !/^_.*_$|^__/.test(name);
    const kind: DefinitionKind = isAlias
      ? 'type'
      : isMember
        ? 'enum-member'
        : scope.kind === 'class'
          ? 'field'
          : 'variable';
    const isClassVariable = /^["']?(\w+\.)?ClassVar\b/.test(annotation);
    const definition = this.#variable(site, {
      name,
      container: containerOf(scope),
      kind,
      type: isAlias || site.form === 'target' ? null : this.#typeOf(site, scope),
      conditional:
        remote || scope.deleted.has(name) || this.#isConditional(site.node) || isLoop(tree, site.node),
    });
    const isOptional = heritage?.isRecord === true && !isClassVariable && this.#hasDefault(site.value);
    const literals = isMember ? listOf(literalOf(tree, site.value)) : literalUnion(tree, site.value);
    return { ...definition, static: isClassVariable, optional: isOptional, literals };
  }

  /** A variable of the module may also have its type from the function that is called: `KEY = Key.generate()`. */
  #typeOf(site: BindingSite, scope: Scope): TypeName | null {
    const { names } = this.#file;
    const type = names.siteType(site);
    if (type === null && scope.kind === 'class') return names.annotatedList(site.annotation);
    const isCalled = type === null && scope.kind === 'module' && site.form === 'assignment';
    return isCalled ? names.resultType(site.value) : (type ?? null);
  }

  /** `field(default=…)` has a default, `field(repr=False)` has none. */
  #hasDefault(value: NodeId): boolean {
    const tree = this.#tree;
    if (value === none) return false;
    if (tree.kind(value) !== 'call') return true;
    const callee = tree.textOf(tree.child(value, 'function'));
    if (!/^(\w+\.)?(field|ib|attrib)$/.test(callee)) return true;
    return tree.children(tree.child(value, 'arguments')).some((argument) => {
      const keyword = tree.textOf(tree.child(argument, 'name'));
      return keyword === 'default' || keyword === 'default_factory' || keyword === 'factory';
    });
  }

  #variable(
    site: BindingSite,
    known: Pick<Definition, 'name' | 'container' | 'kind' | 'type' | 'conditional'>,
  ): Definition {
    const tree = this.#tree;
    const { annotation, origin, name } = site;
    const first = annotation !== none ? annotation : origin;
    const last = origin !== none ? origin : annotation;
    const shape = this.#valueShape(first, last);
    return {
      ...this.#common(site.node, []),
      ...spanOf(tree, this.#file.lines, name),
      endLine: this.#file.lines.line(Math.max(tree.end(last), tree.end(name))),
      ...known,
      bodyHash: shape.hash,
      sketch: shape.sketch,
      signatureHash:
        annotation === none
          ? noTokens
          : hashOfText(this.#file.form, tree.start(annotation), tree.end(annotation)),
    };
  }

  /** Many names can share one value: `a = b = c, d = value`. */
  #valueShape(first: NodeId, last: NodeId): TextShape {
    if (first === none) return noShape;
    const known = this.#shapes.get(first);
    if (known !== undefined) return known;
    const shape = shapeOf(this.#file.form, this.#tree.start(first), this.#tree.end(last));
    this.#shapes.set(first, shape);
    return shape;
  }

  #common(node: NodeId, decorators: readonly string[]) {
    return {
      ...spanOf(this.#tree, this.#file.lines, node),
      signature: null,
      type: null,
      bases: [],
      implements: [],
      typeParameters: null,
      literals: null,
      members: null,
      async: false,
      static: false,
      abstract: false,
      overrides: false,
      failure: null,
      optional: false,
      decorators,
      overload: false,
      ambient: this.#file.ambient,
    };
  }

  #heritage(node: NodeId): Heritage {
    let heritage = this.#heritages.get(node);
    if (heritage === undefined) {
      heritage = heritageOf(this.#tree, node);
      this.#heritages.set(node, heritage);
    }
    return heritage;
  }

  #isConditional(node: NodeId): boolean {
    return this.#bound.hasMark(node, Mark.conditional);
  }
}

/** A metaclass can do to a class what a decorator can. */
function metaclassOf({ metaclass }: Heritage): readonly string[] {
  return metaclass === null ? [] : [`metaclass=${metaclass}`];
}

function listOf(literal: string | null): readonly string[] | null {
  return literal === null ? null : [literal];
}

const noFailure: Failure = { raises: [], returnsNothing: false };
const noShape = shapeOf({ starts: [], hashes: [] }, 0, 0);

function containerOf(scope: Scope): string | null {
  return scope.symbol === '' ? null : scope.symbol;
}

function isLoop(tree: SyntaxTree, node: NodeId): boolean {
  return tree.kind(node) === 'for_statement';
}

function lastPart(dotted: string): string {
  return dotted.slice(dotted.lastIndexOf('.') + 1);
}

/** Decorators that pass on what a function returns. */
const keepsResult = new Set(
  'staticmethod classmethod property cached_property lru_cache cache override'.split(' '),
);

const property = new Set(['property', 'cached_property', 'abstractproperty', 'setter', 'getter', 'deleter']);

function methodKind(name: string, decorators: readonly string[]): DefinitionKind {
  if (decorators.some((decorator) => property.has(lastPart(decorator)))) return 'accessor';
  return name === '__init__' ? 'constructor' : 'method';
}

function isOverload(decorator: string): boolean {
  const last = lastPart(decorator);
  if (last === 'overload' || last === 'register') return true;
  return decorator.includes('.') && (last === 'setter' || last === 'getter' || last === 'deleter');
}

/** The getter of a property with a setter is one of a pair, and so is the implementation after its overloads. */
function withPairs(definitions: readonly Definition[]): Definition[] {
  const key = ({ container, name }: Definition) => `${container ?? ''}.${name}`;
  const paired = new Set(definitions.filter(({ overload }) => overload).map(key));
  return definitions.map((definition) =>
    definition.overload || !paired.has(key(definition)) ? definition : { ...definition, overload: true },
  );
}
