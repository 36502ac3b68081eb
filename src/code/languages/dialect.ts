import type {
  CallShape,
  Definition,
  Facts,
  Parameter,
  Signature,
  Span,
  TypeName,
} from '#code/facts/facts.ts';
import type { Language } from '#code/facts/language.ts';
import type { Access, DefinitionEntity } from '#code/link/members.ts';
import type { Entity } from '#code/link/module-graph.ts';
import type { Resolver } from '#code/resolve/resolution.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';

/** One line of the table of languages: which files are read how, and what may be concluded from them. */
export interface LanguageEntry {
  readonly language: Language;
  readonly dialect: Dialect;
  /** The last endings of its files: `.ts`, `.py`. Empty for formats that go by whole names. */
  readonly endings: readonly string[];
  /** Whether it reads a file, where the ending alone does not say. */
  reads?(path: string): boolean;
}

/**
 * What the linker and the rules ask about a language. Nobody outside `code/languages` asks for a language by name.
 * Languages that give the same answers share one object: `.js` and `.vue`, JSON and YAML.
 */
export interface Dialect {
  /** Nothing is called or imported in `data`: it has keys and values only. */
  readonly holds: 'code' | 'data';
  /** A compiler rejects what does not fit before anything runs: a name that is missing is an error everywhere. */
  readonly isTypeChecked: boolean;
  /** Comments may declare names that the code does not show: JSDoc in JavaScript. */
  readonly declaresInComments: boolean;
  readonly imports: ImportRules;
  readonly names: NameRules;
  readonly calls: CallRules;
  readonly classes: ClassRules;
  /** How a test runner finds what parameters of tests ask for by name. */
  readonly fixtures?: FixtureRules;
}

export interface FixtureRules {
  /** Whether the functions of a file are run by the test runner. */
  isAskedBy(path: string): boolean;
  /** Where a file looks for a fixture, in this order. */
  files(path: string): readonly string[];
  isFixture(definition: Definition): boolean;
  /** A file that defines this name may bring fixtures from elsewhere. */
  readonly plugins: string;
  /** The runner or a plugin may have one of that name. */
  isGiven(name: string): boolean;
}

/** Where an import leads. */
export interface ImportRules {
  /** Base names of the documents that decide where imports lead: /package\.json|lerna\.json/. null: there are none. */
  readonly documents: RegExp | null;
  /** Paths that, when they change in any way, may lead any import elsewhere: /\.json$/. */
  readonly steering: RegExp | null;
  /** Paths that do so by being there or not, whatever is in them: /__init__\.py$/. */
  readonly markers: RegExp | null;
  /** Files that stand for their folder: `index.ts`, `__init__.py`. */
  readonly indexFiles: readonly string[];
  /** An import runs where it stands and reads its names at that moment, so a circle of imports may fail. */
  readonly readNamesAtLoad: boolean;
  /** `./models/user` or `models.user`. */
  readonly specifiers: 'paths' | 'dotted';
  /** Files that `from package import name` may load: `pkg/name.py` for `pkg/__init__.py` and for `pkg/`. */
  submodulePaths(packagePath: string, name: string): readonly string[];
  /** An import that finds nothing means an installed package, though a folder of the tree has its name. */
  meansInstalled(specifier: string, fromPath: string, tree: Tree): boolean;
  /** A module that comes with the language: no package has to be installed. */
  isStandard(name: string): boolean;
  /** A star import from outside may bring any name, those of the project among them. */
  readonly packagesBringNames: boolean;
  /** Documents that others refer to and that are not loaded yet: configs named by `extends`. */
  further(tree: Tree, documents: Documents, paths: readonly string[]): readonly string[];
  /** null: its files import nothing. */
  readonly openResolver: OpenResolver | null;
  /** Modules are all files of a folder, and resolvers lead to them: see `packageIn`. null: each file is a module. */
  readonly packages: PackageRules | null;
}

interface PackageRules {
  /** Whether the names of a file are seen from another file of the folder, or from outside: `store/*.go`. */
  shows(path: string, from: string): boolean;
  /** Whether the same name in two files of a folder is an error. */
  canClash(path: string, other: string): boolean;
}

/** `roots` are folders that the configuration of the project says imports start from. */
type OpenResolver = (
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
  options: { readonly roots: readonly string[] },
) => LanguageResolver;

export interface LanguageResolver extends Resolver {
  /** A module inside a package, reached as an attribute of it. Languages without such packages leave it out. */
  submodule?(packagePath: string, name: string): Submodule;
}

export interface Submodule {
  readonly path: string | undefined;
  /** The paths that were looked for. */
  readonly tried: readonly string[];
}

/** Which names a module has. */
export interface NameRules {
  /** Names that stand for two things in one scope, where the language lets only one of them live. */
  duplicates(facts: Facts): DuplicateDefinition[];
  /** Whether a star import of a module brings a name that the module binds. */
  isPublic(facts: Facts, name: string): boolean;
  /** Names that every module has without defining them: `__name__`. */
  isGivenToModules(name: string): boolean;
  /** Of two stars that bring one name the last one wins; otherwise the module exports neither. */
  readonly lastStarWins: boolean;
  /** Names that a line of code defines for other modules, as far as one line tells. */
  inLine(text: string): string[];
  /** Names may be defined in ways that single lines do not show: lists of exports, destructuring. */
  areHidden(before: string, removedLines: readonly string[]): boolean;
  /** Whether a file may use what another one keeps private (`hidden`): a module in Rust sees what is above it. */
  seesPrivate(path: string, from: string): boolean;
  /** Whether a new name makes private what had the old one: `_parse` for `parse`. */
  hides(before: string, after: string): boolean;
}

export interface DuplicateDefinition {
  /** Symbol path of the name that is defined more than once. */
  readonly name: string;
  readonly at: readonly Span[];
}

/** How arguments meet parameters. */
export interface CallRules {
  /** What a call lacks or has too much; see `fits`. */
  bind(parameters: readonly Parameter[], call: CallShape): CallMismatch;
  /** A call that does not bind fails, in the compiler or when it runs. */
  readonly isEnforced: boolean;
  /** Why callers of a base method cannot call the method that takes its place; null when they can. */
  overrideMismatch(own: Signature, base: Signature): CallMismatch | null;
  /** To await what is not asynchronous is an error. */
  readonly awaitsOnlyAsynchronous: boolean;
  /** The one named type that a function says it returns, awaited or not; null when it says nothing, or another thing. */
  resultType(definition: Definition, isAwaited: boolean): TypeName | null;
}

/** Why a call cannot bind to a signature. Names are sorted by position. */
export interface CallMismatch {
  /** Required parameters that get no argument. */
  readonly missing: readonly string[];
  /** Keywords (or option keys) that no parameter takes. */
  readonly unexpected: readonly string[];
  /** Positional arguments beyond the last parameter. */
  readonly surplus: number;
}

/** What classes have, and how instances are made. */
export interface ClassRules {
  /** `User()` or `new User()`. */
  readonly instantiatedBy: 'call' | 'new';
  /** `constructor`, `__init__`. */
  readonly constructorName: string;
  /** The constructor that the language makes from the fields; null: none, `unknown`: instances are made in a way that cannot be told. */
  madeConstructor(entity: DefinitionEntity, lookup: Lookup): MadeConstructor | 'unknown' | null;
  /** A method that is called on the class takes the instance as its first argument. */
  readonly methodsTakeInstance: boolean;
  /** The annotation of a field tells the class of whatever it holds. */
  readonly fieldsKeepTheirType: boolean;
  /** To make an instance of a class that still has abstract members fails. */
  readonly refusesAbstractInstances: boolean;
  /** Abstract members count only below a base that is abstract itself. */
  readonly abstractNeedsBase: boolean;
  /** A class and its instances show the same members. */
  readonly sharesMembers: boolean;
  /** A module may put another class in the place of one that it defines. */
  mayBeReplaced(facts: Facts): boolean;
  /** A decorator of a class leaves its members as they are written. */
  keepsMembers(facts: Facts, decorator: string): boolean;
  /** Members that every class or instance has without defining them. */
  isGiven(name: string, access: Access): boolean;
  /** The member that does the job of one that is missing: `__getitem__` for `__iter__`. */
  standIn(name: string): string | null;
  /** A class from outside the tree whose members are known. */
  outside(facts: Facts, base: string): OutsideClass | undefined;
}

/** What a dialect may ask the linker back. */
export interface Lookup {
  facts(path: string): Facts | undefined;
  /** The class or type that a dotted name of a file stands for. */
  type(path: string, name: string): Entity;
  /** A member of the instances of a class, inherited ones included. */
  member(entity: DefinitionEntity, name: string): Entity;
}

export interface MadeConstructor {
  readonly signature: Signature;
  readonly exact: boolean;
}

export interface OutsideClass {
  /** Full names where the class comes from: `typing.Protocol`. */
  readonly names: readonly string[];
  /** Attributes of the class and its instances, except those with two underscores at both ends. */
  readonly members: ReadonlySet<string>;
  /** The same in every release that is in use. */
  readonly isFixed: boolean;
}
