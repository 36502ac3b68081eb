import type { Definition, DefinitionKind, Facts, TypeName } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { ClassRules, Dialect, ImportRules, NameRules } from '#code/languages/dialect.ts';
import { bindArguments, overrideMismatch } from '#code/languages/shared/bind-arguments.ts';
import { cautious } from '#code/languages/shared/cautious.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';
import { fixtures } from './fixtures.ts';
import { definitionsInLine, hasHiddenNames } from './line-names.ts';
import { madeConstructor } from './made-constructor.ts';
import { outsideClass, outsideNames } from './outside-classes.ts';
import { meansInstalled } from './resolve/installed-packages.ts';
import { projectPart } from './resolve/project.ts';
import { createPythonResolver } from './resolve/resolve-python.ts';
import { standardLibrary } from './resolve/standard-library.ts';
import { readType } from './type-text.ts';

const imports: ImportRules = {
  documents: /^(?:pyproject\.toml|setup\.cfg)$/,
  decidingPart: projectPart,
  steering: /\.(toml|cfg)$/,
  markers: /(^|\/)__init__\.pyi?$/,
  indexFiles: ['__init__.py'],
  readNamesAtLoad: true,
  specifiers: 'dotted',
  submodulePaths,
  meansInstalled,
  isStandard: (name) => standardLibrary.has(name),
  packagesBringNames: true,
  further: () => [],
  openResolver: createPythonResolver,
  packages: null,
};

function submodulePaths(packagePath: string, name: string): string[] {
  const folder = /^(.*\/)(?:__init__\.pyi?)?$/.exec(packagePath)?.[1];
  return folder === undefined
    ? []
    : [`${folder}${name}.py`, `${folder}${name}/__init__.py`, `${folder}${name}.pyi`];
}

/** Reassigning is ordinary; only these kinds should exist once. */
const definedOnce = new Set<DefinitionKind>(['function', 'class', 'method', 'constructor', 'enum-member']);

const names: NameRules = {
  duplicates: (facts) =>
    clashesByName(facts, (plain) =>
      plain.filter(({ kind, decorators }) => definedOnce.has(kind) && decorators.length === 0),
    ),
  isPublic: ({ publicNames }, name) => (publicNames ? publicNames.includes(name) : !name.startsWith('_')),
  isGivenToModules: (name) => /^__.*__$/.test(name),
  lastStarWins: true,
  starBrings: () => true,
  inLine: definitionsInLine,
  areHidden: hasHiddenNames,
  seesPrivate: cautious.names.seesPrivate,
  hides: cautious.names.hides,
};

/** Class decorators that keep the attributes as written, by their full name. */
const plainDecorators = new Set([
  'dataclasses.dataclass',
  'pydantic.dataclasses.dataclass',
  'typing.final',
  'typing.runtime_checkable',
  'functools.total_ordering',
  'enum.unique',
  'attrs.define',
  'attrs.frozen',
  'attrs.mutable',
  'attrs.s',
  'attrs.attrs',
]);
/** Reasons why a module may have more names that do not change the classes it defines. */
const namesOnly = new Set(['module __getattr__', '__all__ is computed']);

const classes: ClassRules = {
  instantiatedBy: 'call',
  constructorName: '__init__',
  madeConstructor,
  methodsTakeInstance: true,
  fieldsKeepTheirType: 'always',
  interfacesAreWhole: false,
  replacesInherited: true,
  implementsInPlace: false,
  fieldsBesideMethods: false,
  refusesAbstractInstances: true,
  // @abstractmethod is enforced below ABC and Protocol only.
  abstractNeedsBase: true,
  sharesMembers: true,
  // A module that writes to its own namespace can replace a class that it defines.
  mayBeReplaced: ({ opaque }) => opaque.some((reason) => !namesOnly.has(reason)),
  keepsMembers,
  returnsItsClass,
  isGiven: (name) =>
    /^__.*__$/.test(name) && !/^__(enter|exit|aenter|aexit|iter|aiter|next|anext|call)__$/.test(name),
  // Python iterates by index over objects without `__iter__`.
  describesKeys: 'typing.TypedDict',
  standIn: (name) => (name === '__iter__' ? '__getitem__' : null),
  outside: outsideClass,
};

function keepsMembers(facts: Facts, decorator: string): boolean {
  const from = outsideNames(facts, decorator);
  return from.length > 0 && from.every((name) => plainDecorators.has(name));
}

/** `def register(cls: type[T]) -> type[T]` */
function returnsItsClass({ kind, signature, async, decorators }: Definition): boolean {
  const [cls, ...others] = signature?.parameters ?? [];
  if (kind !== 'function' || async || decorators.length > 0 || !cls || others.length > 0) return false;
  return /^(?:typing\.)?[tT]ype\s*\[\s*\w+\s*\]$/.test(cls.type ?? '') && signature?.returns === cls.type;
}

const transparent = new Set(
  'staticmethod classmethod abstractmethod abc.abstractmethod lru_cache functools.lru_cache functools.cache'.split(
    ' ',
  ),
);

/** A decorator may change the result. A class that is called gives an instance. */
function resultType(definition: Definition, isAwaited: boolean): TypeName | null {
  const { kind, signature, async, decorators, type } = definition;
  if (kind === 'class' && !isAwaited) return symbolPath(definition);
  const isFunction = kind === 'function' || kind === 'method';
  if (!isFunction || async !== isAwaited || !decorators.every((name) => transparent.has(name))) return null;
  const returned = signature?.returns ?? null;
  const read = returned === null ? null : readType(returned);
  if (read?.is === 'name') return read.name;
  return read?.is === 'union' ? returned : type;
}

function resultElement({ signature, async, decorators, overload }: Definition): TypeName | null {
  const keepsResult = decorators.every(
    (name) => transparent.has(name) || /^(?:functools\.cached_)?property$/.test(name),
  );
  const type = async || overload || !keepsResult ? null : readType(signature?.returns ?? '');
  return type?.is === 'list' ? type.of : null;
}

/** The last of several definitions, below those that `@overload` describes. */
function implementation(definitions: readonly Definition[]): Definition | null {
  const isDescription = ({ decorators }: Definition) =>
    decorators.some((name) => /^(?:\w+\.)?overload$/.test(name));
  const last = definitions.at(-1);
  const isWhole = definitions.length > 1 && definitions.slice(0, -1).every(isDescription);
  return last && isWhole && !isDescription(last) ? last : null;
}

/** The last names of decorators that pass arguments themselves, or that register a function for a framework to call. */
const passesArguments =
  /(?:^|_)(?:(?:command|group|option|argument|patch|object|given|decorator|fixture|callback|dispatch|register)$|pass_\w|inject|provide|autowire|wire|curry|with_|use_|singledispatch)/;

/** A function with a parameter `self` gets it from its decorator: `@app.task(bind=True)`. */
function mayKeepSignature({ kind, decorators, signature }: Definition): boolean {
  if (kind === 'function' && signature?.parameters[0]?.name === 'self') return false;
  return !decorators.some((name) => passesArguments.test(name.slice(name.lastIndexOf('.') + 1)));
}

export const python: Dialect = {
  holds: 'code',
  isTypeChecked: false,
  declaresInComments: false,
  coversAllCases: false,
  readType,
  imports,
  names,
  calls: {
    bind: bindArguments,
    isEnforced: true,
    generatorsAreLazy: true,
    overrideMismatch,
    awaitsOnlyAsynchronous: true,
    mayKeepSignature,
    resultType,
    resultParts: () => null,
    resultElement,
    implementation,
  },
  classes,
  fixtures,
};
