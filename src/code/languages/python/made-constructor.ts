import type { Definition, Facts, Parameter } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { Lookup, MadeConstructor } from '#code/languages/dialect.ts';
import type { DefinitionEntity } from '#code/link/members.ts';
import { outsideClass, outsideNames } from './outside-classes.ts';

type RecordKind = 'dataclass' | 'attrs' | 'named-tuple' | 'model';

const dataclasses = new Set(['dataclasses.dataclass', 'pydantic.dataclasses.dataclass']);
const attrsClasses = new Set(['attrs.define', 'attrs.frozen', 'attrs.mutable', 'attrs.s', 'attrs.attrs']);
/** Decorators that do not change a class and its constructor. */
const harmless = new Set(['typing.final', 'functools.total_ordering', 'typing.runtime_checkable']);
/** They may transform the arguments of a model. */
const rewriting = /(^|\.)(model_validator|root_validator)$/;

/** The constructor that Python generates from the fields of a class. */
export function madeConstructor(
  entity: DefinitionEntity,
  lookup: Lookup,
): MadeConstructor | 'unknown' | null {
  return inheritsMetaclass(entity, lookup, new Set()) ? 'unknown' : recordConstructor(entity, lookup);
}

/** Whether a class or one of its bases has a metaclass that may create instances in another way. */
function inheritsMetaclass(entity: DefinitionEntity, lookup: Lookup, seen: Set<string>): boolean {
  return entity.definitions.some((definition) => {
    const key = `${entity.path}#${symbolPath(definition)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (definition.decorators.some((name) => name.startsWith('metaclass='))) return true;
    return definition.bases.some((base) => {
      const target = lookup.type(entity.path, base);
      return target.is === 'definition' && inheritsMetaclass(target, lookup, seen);
    });
  });
}

/** null when no constructor is generated, or when part of it is unknown. */
function recordConstructor(entity: DefinitionEntity, lookup: Lookup): MadeConstructor | null {
  // Most classes have neither, so their bases need not be read.
  if (!entity.definitions.some(({ bases, decorators }) => bases.length + decorators.length > 0)) return null;
  const record = new RecordReader(lookup).read(entity, new Set());
  if (record === null || record.kind === null) return null;
  const { kind, fields, isExact } = record;
  const isGiven = kind === 'model' || kind === 'named-tuple';
  if (isGiven && lookup.member(entity, '__init__').is === 'definition') return null;
  const parameters = [...fields.values()];
  return {
    signature: { parameters, returns: null, generator: false, typeParameters: { min: 0, max: 0 } },
    exact: entity.exact && isExact && kind !== 'model',
  };
}

interface Record {
  readonly kind: RecordKind | null;
  /** By name, fields of bases first. */
  readonly fields: ReadonlyMap<string, Parameter>;
  readonly isExact: boolean;
}

class RecordReader {
  readonly #lookup: Lookup;

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** null when part of it is unknown. */
  read(entity: DefinitionEntity, seen: Set<string>): Record | null {
    const [definition, ...others] = entity.definitions;
    const facts = this.#lookup.facts(entity.path);
    if (!facts || definition?.kind !== 'class' || others.length > 0 || definition.conditional) return null;
    const key = `${entity.path}#${symbolPath(definition)}`;
    if (seen.has(key) || definition.members?.open !== false) return null;
    seen.add(key);
    const decorated = decoratedKind(facts, definition);
    // A decorator keeps a constructor that the class defines; then its fields are not recorded.
    if (decorated === 'unknown' || (decorated !== null && definition.signature === null)) return null;
    const bases = this.#bases(entity, definition, facts, seen);
    if (bases === null) return null;
    const kind = decorated ?? inheritedKind(bases);
    if (kind === 'model' && rewrites(facts, definition)) return null;
    const own = kind === null ? [] : (definition.signature?.parameters ?? []);
    return {
      kind,
      fields: new Map([
        ...bases.filter((base) => base.kind === kind).flatMap(({ fields }) => [...fields]),
        ...own.map((parameter) => [parameter.name, parameter] as const),
      ]),
      isExact: entity.exact && bases.every(({ isExact }) => isExact),
    };
  }

  /** Python processes the last base first. */
  #bases(entity: DefinitionEntity, { bases }: Definition, facts: Facts, seen: Set<string>): Record[] | null {
    const found: Record[] = [];
    for (const base of bases.toReversed()) {
      const outside = outsideKind(facts, base);
      if (outside !== 'none') {
        if (outside === 'unknown') return null;
        found.push({ kind: outside, fields: new Map(), isExact: true });
        continue;
      }
      const target = this.#lookup.type(entity.path, base);
      const record = target.is === 'definition' ? this.read(target, seen) : null;
      if (record === null) return null;
      found.push(record);
    }
    return found;
  }
}

function decoratedKind(facts: Facts, { decorators }: Definition): RecordKind | null | 'unknown' {
  let kind: RecordKind | null = null;
  for (const decorator of decorators) {
    const names = outsideNames(facts, decorator);
    if (names.length > 0 && names.every((name) => dataclasses.has(name))) kind = 'dataclass';
    else if (names.length > 0 && names.every((name) => attrsClasses.has(name))) kind = 'attrs';
    else if (names.length === 0 || !names.every((name) => harmless.has(name))) return 'unknown';
  }
  return kind;
}

/** A decorator generates a constructor only for the class it decorates. */
function inheritedKind(bases: readonly Record[]): RecordKind | null {
  return bases.find(({ kind }) => kind === 'model' || kind === 'named-tuple')?.kind ?? null;
}

/** How a base from outside changes the classes below it; `none` when it is first-party. */
function outsideKind(facts: Facts, base: string): RecordKind | null | 'none' | 'unknown' {
  const names = outsideNames(facts, base);
  if (names.includes('pydantic.BaseModel')) return 'model';
  if (names.includes('typing.NamedTuple')) return 'named-tuple';
  const known = outsideClass(facts, base);
  if (known) return known.members.size === 0 ? null : 'unknown';
  return 'none';
}

function rewrites(facts: Facts, definition: Definition): boolean {
  const members = [...indexOf(facts).members(symbolPath(definition)).values()].flat();
  return members.some(({ decorators }) => decorators.some((name) => rewriting.test(name)));
}
