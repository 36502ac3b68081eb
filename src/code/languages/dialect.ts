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
import type { TypeText } from '#code/languages/shared/type-text.ts';
import type { Access, DefinitionEntity } from '#code/link/members.ts';
import type { Entity } from '#code/link/module-graph.ts';
import type { Resolver } from '#code/resolve/resolution.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';

/** One row of the table of languages: which files it covers, how they are read and what may be concluded. */
export interface LanguageEntry {
  readonly language: Language;
  readonly dialect: Dialect;
  /** File extensions: `.ts`, `.py`. Empty for formats that are recognised by whole names. */
  readonly endings: readonly string[];
  /** Whether it reads a file, where the extension does not decide. */
  reads?(path: string): boolean;
}

/**
 * What the linker and the rules need to know about a language. Code outside `code/languages` never tests for a language by name. Languages
 * with the same answers share one object: `.js` and `.vue`, JSON and YAML.
 */
export interface Dialect {
  /** `data` has only keys and values: nothing in it is called or imported. */
  readonly holds: 'code' | 'data';
  /** A compiler rejects misfits before anything runs: a missing name is an error everywhere. */
  readonly isTypeChecked: boolean;
  /** Comments may declare names that the code does not contain: JSDoc in JavaScript. */
  readonly declaresInComments: boolean;
  /** A compiler rejects a switch over an enum that has no default and lacks a member. */
  readonly coversAllCases: boolean;
  readonly imports: ImportRules;
  readonly names: NameRules;
  readonly calls: CallRules;
  readonly classes: ClassRules;
  /** Reads a written type, `Record<string, User>`. Missing: types are names, or names of elements, `User[]`. */
  readType?(text: string, isOwn?: (name: string) => boolean): TypeText;
  /** How a test runner finds the fixtures that parameters of tests name. */
  readonly fixtures?: FixtureRules;
}

export interface FixtureRules {
  /** Whether the test runner runs functions of this file. */
  isAskedBy(path: string): boolean;
  /** Where a file looks for a fixture, in this order. */
  files(path: string): readonly string[];
  isFixture(definition: Definition): boolean;
  /** A file that defines this name may bring fixtures from elsewhere. */
  readonly plugins: string;
  /** The runner or a plugin may provide one of that name. */
  isGiven(name: string): boolean;
}

/** Where an import leads. */
export interface ImportRules {
  /** Base names of the documents that decide where imports lead: /^(?:package|lerna)\.json$/. null: there are none. */
  readonly documents: RegExp | null;
  /** The part of a document that decides where imports lead; two versions with the same part lead to the same files. Missing: all of it. */
  decidingPart?(name: string, text: string): unknown;
  /** Paths whose change may redirect any import: /\.json$/. */
  readonly steering: RegExp | null;
  /** Paths whose existence redirects imports, whatever they contain: /__init__\.py$/. */
  readonly markers: RegExp | null;
  /** Files that represent their folder: `index.ts`, `__init__.py`. */
  readonly indexFiles: readonly string[];
  /** An import runs in place and reads its names at that moment, so a cycle of imports may fail. */
  readonly readNamesAtLoad: boolean;
  /** `'./models/user'` in quotes, `models.user`, or names without quotes: `crate::models::user`, `com.shop.models`. */
  readonly specifiers: 'paths' | 'dotted' | 'names';
  /** Files that `from package import name` may load: `pkg/name.py` for `pkg/__init__.py` and for `pkg/`. */
  submodulePaths(packagePath: string, name: string): readonly string[];
  /** An unresolved import means an installed package, although a folder of the tree has its name. */
  meansInstalled(specifier: string, fromPath: string, tree: Tree): boolean;
  /** A module of the standard library: no package has to be installed. */
  isStandard(name: string): boolean;
  /** A star import from outside may bring any name, including names of the project. */
  readonly packagesBringNames: boolean;
  /** Documents that others refer to and that are not loaded yet: configs named by `extends`. */
  further(tree: Tree, documents: Documents, paths: readonly string[]): readonly string[];
  /** null: its files import nothing. */
  readonly openResolver: OpenResolver | null;
  /** A module is a folder of files, and resolvers lead to it: see `packageIn`. null: each file is a module. */
  readonly packages: PackageRules | null;
}

interface PackageRules {
  /** The folder holds all of the module. Otherwise other folders and libraries may add to it. */
  readonly isWhole: boolean;
  /** Only files that are apart, too, see the names of such a file: tests in Go. */
  isApart(path: string): boolean;
  /** Whether the same name in two files of a folder is an error. */
  canClash(path: string, other: string, facts: Facts, otherFacts: Facts): boolean;
}

/** `roots`: folders that the project's configuration declares as roots of imports. */
type OpenResolver = (
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
  options: { readonly roots: readonly string[] },
) => LanguageResolver;

export interface LanguageResolver extends Resolver {
  /** A module inside a package, accessed as an attribute of it. Languages without such packages omit it. */
  submodule?(packagePath: string, name: string): Submodule;
}

export interface Submodule {
  readonly path: string | undefined;
  /** The paths that were looked for. */
  readonly tried: readonly string[];
}

/** Which names a module has. */
export interface NameRules {
  /** Names with two definitions in one scope, where the language allows only one. */
  duplicates(facts: Facts): DuplicateDefinition[];
  /** Whether a star import of a module imports a name that the module binds. */
  isPublic(facts: Facts, name: string): boolean;
  /** Names that every module has without defining them: `__name__`. */
  isGivenToModules(name: string): boolean;
  /** If two star imports bring the same name, the last one wins; otherwise the module exports neither. */
  readonly lastStarWins: boolean;
  /** Whether a star import of something that is no file can bring a name. */
  starBrings(from: string, name: string): boolean;
  /** Names that a line of code defines for other modules, as far as one line shows. */
  inLine(text: string): string[];
  /** Names may be defined in ways that single lines do not show: lists of exports, destructuring. */
  areHidden(before: string, removedLines: readonly string[]): boolean;
  /** Whether a file may use what another one keeps private (`hidden`): a Rust module sees the modules above it. */
  seesPrivate(path: string, from: string): boolean;
  /** Whether a rename makes a name private: `_parse` for `parse`. */
  hides(before: string, after: string): boolean;
}

export interface DuplicateDefinition {
  /** Symbol path of the name that is defined more than once. */
  readonly name: string;
  readonly at: readonly Span[];
}

/** How arguments bind to parameters. */
export interface CallRules {
  /** What a call lacks or has in excess; see `fits`. */
  bind(parameters: readonly Parameter[], call: CallShape): CallMismatch;
  /** A call that does not bind fails, in the compiler or when it runs. */
  readonly isEnforced: boolean;
  /** Methods of one name with other parameters are other methods: only what says that it overrides, or what an interface asks for, has to fit. */
  readonly overloads?: true;
  /** Why callers of a base method cannot call its override; null when they can. */
  overrideMismatch(own: Signature, base: Signature): CallMismatch | null;
  /** A call of a generator function runs nothing until its result is iterated, and the result has no parts to read by index. */
  readonly generatorsAreLazy?: true;
  /** Awaiting a value that is not asynchronous is an error. */
  readonly awaitsOnlyAsynchronous: boolean;
  /** Whether the decorators of a function most likely leave its parameters as they are: `@app.route('/')`. */
  mayKeepSignature(definition: Definition): boolean;
  /** The one named type that a function declares to return, awaited or not, or (`isUnwrapped`) that its result holds: `find(1)?`; null when it declares none or another kind. */
  resultType(definition: Definition, isAwaited: boolean, isUnwrapped: boolean): TypeName | null;
  /** The named type of the elements of the list that a function or property declares to return: `User` for `list[User]`. */
  resultElement?(definition: Definition): TypeName | null;
  /** The definition that runs, where others only describe how it can be called: `@overload`. */
  implementation?(definitions: readonly Definition[]): Definition | null;
  /** Where a function may give several values: their types, in order, `User[]` for a list. null: it gives one. */
  resultParts(definition: Definition): readonly (TypeName | null)[] | null;
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

/** Members of classes and how instances are created. */
export interface ClassRules {
  /** `User()` or `new User()`. */
  readonly instantiatedBy: 'call' | 'new';
  /** `constructor`, `__init__`. */
  readonly constructorName: string;
  /** The constructor that the language generates from the fields; null: none; `unknown`: how instances are created is unknown. */
  madeConstructor(entity: DefinitionEntity, lookup: Lookup): MadeConstructor | 'unknown' | null;
  /** A method that is called on the class takes the instance as its first argument. */
  readonly methodsTakeInstance: boolean;
  /** Whether the annotation of a field is the class of every value it holds. `unless-narrowed`: a test may narrow it. */
  readonly fieldsKeepTheirType: 'always' | 'unless-narrowed' | 'unknown';
  /** A member of a class is called instead of the one of its base. In Go a member only hides what an embedded struct has. */
  readonly replacesInherited: boolean;
  /** An interface lists all its members in one place: what a field of that type has is known. */
  readonly interfacesAreWhole: boolean;
  /** A class lists the members of an interface where it says that it implements it; no other code can add them. */
  readonly implementsInPlace: boolean;
  /** A class may have a field and a method of the same name. */
  readonly fieldsBesideMethods: boolean;
  /** Instantiating a class with abstract members fails. */
  readonly refusesAbstractInstances: boolean;
  /** Abstract members count only below a base that is abstract itself. */
  readonly abstractNeedsBase: boolean;
  /** A class and its instances show the same members. */
  readonly sharesMembers: boolean;
  /** A module may replace a class that it defines. */
  mayBeReplaced(facts: Facts): boolean;
  /** A decorator of a class keeps its members as written. */
  keepsMembers(facts: Facts, decorator: string): boolean;
  /** A function that, used as a decorator, returns the class it takes, perhaps with more members. */
  returnsItsClass(decorator: Definition): boolean;
  /** Members that every class or instance has without defining them. */
  isGiven(name: string, access: Access): boolean;
  /** Code of any file can add members to instances: extension methods in C#. */
  readonly areExtensible?: true;
  /** The class from outside whose subclasses describe the keys of dictionaries: `typing.TypedDict`. */
  readonly describesKeys?: string;
  /** The member that replaces a missing one: `__getitem__` for `__iter__`. */
  standIn(name: string): string | null;
  /** A class from outside the tree whose members are known. */
  outside(facts: Facts, base: string): OutsideClass | undefined;
}

/** What a dialect may ask the linker. */
export interface Lookup {
  facts(path: string): Facts | undefined;
  /** The class or type that a dotted name means in a file. */
  type(path: string, name: string): Entity;
  /** A member of the instances of a class, inherited ones included. */
  member(entity: DefinitionEntity, name: string): Entity;
}

export interface MadeConstructor {
  readonly signature: Signature;
  readonly exact: boolean;
}

export interface OutsideClass {
  /** Full names of the class at its origin: `typing.Protocol`. */
  readonly names: readonly string[];
  /** Attributes of the class and its instances, except those with two underscores at both ends. */
  readonly members: ReadonlySet<string>;
  /** The same in every release in use. */
  readonly isFixed: boolean;
}
