/**
 * The facts of one blob, with no knowledge of any other file: the unit that is cached by blob id. Linking facts to other files happens
 * later (`link.ts`), so one extraction serves every branch and union.
 */
export interface Facts {
  /** Set when the parser met an error. Such facts never prove that something was removed. */
  readonly syntaxError: SyntaxProblem | null;
  /** `namespace`: every module-level binding is exported, and packages have modules as attributes. */
  readonly module: 'esm' | 'commonjs' | 'script' | 'namespace' | 'data';
  readonly definitions: readonly Definition[];
  readonly imports: readonly Import[];
  /** ES and CommonJS exports. Python exports every module-level binding: see `publicNames`. */
  readonly exports: readonly Export[];
  /** Python `__all__` when it is a literal list; null when absent. */
  readonly publicNames: readonly string[] | null;
  readonly uses: readonly Use[];
  readonly switches: readonly Switch[];
  readonly comparisons: readonly Comparison[];
  /** Why the set of names of this module is not fully known: `module.exports = …`, `__getattr__`, `globals()`… */
  readonly opaque: readonly string[];
  /** Rust: what brings names that this file does not list. */
  readonly unread?: readonly Unread[] | undefined;
  /** Python, where names may be created at run time: quoted identifiers, which may be such names. */
  readonly quotedNames?: readonly string[] | undefined;
  /** Data files only: keys that occur twice in one object. */
  readonly duplicateKeys: readonly DuplicateKey[];
  /** TypeScript: lines whose errors are suppressed by `ts-ignore` or `ts-expect-error`; `all` by `ts-nocheck`. */
  readonly unchecked?: readonly number[] | 'all' | undefined;
  /** Python: `try` blocks that expect errors of this project or of a package. */
  readonly handlers?: readonly Handler[] | undefined;
  /** TypeScript: specifiers of `declare module '…'`, which adds to the definitions of another module. */
  readonly augments?: readonly string[] | undefined;
}

/** `name`: a module of this name is written in place, `mod alert { … }`. `part`: a macro may make names that contain this one, `UserBuilder` of `User`. */
export interface Unread {
  readonly name: string;
  readonly as: 'name' | 'part';
}

/** 1-based lines and columns; `endLine` is the last line of the whole construct. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
}

export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type DefinitionKind =
  | 'function'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'namespace'
  | 'variable'
  | 'method'
  | 'constructor'
  | 'field'
  | 'accessor'
  | 'enum-member';

/** A module-level definition or a member of one. Locals of functions are not definitions. */
export interface Definition extends Span {
  /** The name alone: `save`. With the container it forms the symbol path `User.save`. */
  readonly name: string;
  /** Symbol path of the enclosing class, interface, enum or namespace: `User`; null at module level. */
  readonly container: string | null;
  readonly kind: DefinitionKind;
  /** Hash of parameters and body without the name, comments, docstrings and white space. */
  readonly bodyHash: number;
  /** Hash of the signature text (parameters, return type, heritage) in the same normal form. */
  readonly signatureHash: number;
  /** Bottom-k sketch of token shingles, ascending; two sketches estimate the similarity of two bodies. */
  readonly sketch: readonly number[];
  readonly signature: Signature | null;
  /** Named type of a variable or field, when its annotation or initialiser (`new X()`) is one: see `TypeName`. `X[]` for a list of them. Functions and methods: the result, where `signature.returns` does not tell it from a type parameter. TypeScript: also the text of a type that values are followed through, `Record<string, User>`, what an alias means, and bases with their type arguments. */
  readonly type: TypeName | null;
  /** Classes and interfaces: what they extend. `complete` in `members` says whether the list is fully known. */
  readonly bases: readonly TypeName[];
  /** Classes: the interfaces they say they implement. */
  readonly implements: readonly TypeName[];
  /** Type parameters of a class, interface or type alias; null for everything else. */
  readonly typeParameters: NamedTypeParameters | null;
  /** The values of an enum member or a union of literals, as JSON; null when not all are explicit. */
  readonly literals: readonly string[] | null;
  /** Classes, interfaces, object types and enums: null when it has no members. */
  readonly members: Members | null;
  readonly async: boolean;
  readonly static: boolean;
  readonly abstract: boolean;
  /** Declares that a base has it too: `override`, `@override`. */
  readonly overrides: boolean;
  /** Optional member: `name?: string`. */
  readonly optional: boolean;
  readonly decorators: readonly string[];
  /** Functions and methods with a body: how they report failure. */
  readonly failure: Failure | null;
  /** An overload signature, `@overload`, a getter or setter of a pair, a repeated `var`: several of these are not duplicates. */
  readonly overload: boolean;
  /** Inside an `if`, `try`, `else`, `TYPE_CHECKING`: another definition of the name may replace it. */
  readonly conditional: boolean;
  /** `declare`, `.d.ts`: describes something that exists elsewhere. */
  readonly ambient: boolean;
  /** Private: other files cannot use it, by the rules of a language that enforces this. */
  readonly hidden?: true | undefined;
}

export interface Members {
  /** True when members can exist that are not listed: index signature, `__getattr__`, computed names, a base expression that is not a name, `setattr(self, …)`, `__slots__` excluded. */
  readonly open: boolean;
  /** Not open, but some members are named by constants, `[$mobx]`, which are most likely symbols. */
  readonly keyed?: true;
  /** Not open, but a method passes its instance to code that may set attributes on it: `register(self)`. */
  readonly lent?: true;
}

/** A local dotted name (`User`, `models.User`) of an annotation that is exactly one named type, null and undefined aside. */
export type TypeName = string;

export interface Failure {
  /** Names of the errors that it raises directly. */
  readonly raises: readonly string[];
  /** `return None`, `return null`, `return undefined`. */
  readonly returnsNothing: boolean;
}

export interface TypeParameters {
  readonly min: number;
  readonly max: number;
}

export interface NamedTypeParameters extends TypeParameters {
  /** In order. */
  readonly names: readonly string[];
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  /** Normalised source text of the return annotation; Python without one: `tuple[?, ?]` when every return lists two values. */
  readonly returns: string | null;
  readonly generator: boolean;
  readonly typeParameters: TypeParameters;
}

export interface Parameter {
  /** `''` for a destructured parameter. Python's `self` and `cls` are left out. */
  readonly name: string;
  readonly kind: 'positional-only' | 'positional' | 'keyword-only' | 'rest' | 'keyword-rest';
  readonly required: boolean;
  /** Normalised source text of the default, cut at 80 characters. */
  readonly default: string | null;
  /** Normalised source text of the annotation, cut at 200 characters. */
  readonly type: string | null;
  /** The annotation when it is one named type (an options interface): its keys are found by linking. Python's `**kwargs`: what gets them all. */
  readonly typeName: TypeName | null;
  /** Keys of an inline object type: `{ timeout?: number }`. Python's `**kwargs`: the keys that the function reads itself. */
  readonly shape: ObjectShape | null;
}

export interface ObjectShape {
  readonly keys: readonly { readonly name: string; readonly required: boolean }[];
  /** Index signature, spread, mapped or intersected type: other keys may be allowed. */
  readonly open: boolean;
}

export interface Import extends Span {
  /** The name bound in this module; null for a side-effect import and for names that are only tested for existence. */
  readonly local: string | null;
  /** `default`, `*` for the whole module as a namespace, `**` for a star import into this scope, else the name. */
  readonly imported: string;
  /** The specifier as written: `./api.js`, `@app/core`, `..models.user`, `app.teams`. */
  readonly from: string;
  /** `executed`: runs in place and reads its names at that moment; `import a.b` binds `a`. */
  readonly form: 'static' | 'dynamic' | 'require' | 'executed';
  readonly typeOnly: boolean;
  /** In a `try` or an `if`, or loaded only when a function runs: a missing module may be intended. */
  readonly guarded: boolean;
  /** Symbol path of the enclosing definition, `''` at module level. */
  readonly scope: string;
}

export interface Export extends Span {
  /** `default`, or `*` for `export * from`. */
  readonly name: string;
  /** The binding of this module that is exported; null for re-exports and anonymous defaults. */
  readonly local: string | null;
  /** Re-exports: the specifier. */
  readonly from: string | null;
  /** Re-exports: the name in the source module, `*` for a namespace (`export * as ns`) and for `export *`. */
  readonly imported: string | null;
  readonly typeOnly: boolean;
}

/**
 * A use of a module-level name of this file (import or definition), or of a name that the file does not bind. Uses of locals and of the
 * language's globals are left out.
 */
export interface Use extends Span {
  readonly kind: 'call' | 'new' | 'read' | 'type' | 'jsx' | 'decorator' | 'extends' | 'implements';
  /** The module-level (or unbound) name that the expression starts with, or the named type of its receiver. */
  readonly root: string;
  /**
   * `name`: the expression starts at `root` itself. `instance`: it starts at a value whose type is `root`. `package`: a text contains the
   * path from the package or module `root`. `fixture`: a test runner passes the value that is registered as `root`. `cast`: it starts at a
   * value of type `root` that a cast hides from the type checker: `(store as any).cache`.
   */
  readonly rootIs: 'name' | 'instance' | 'package' | 'fixture' | 'cast';
  /** Members read after the root, in order: `ns.a.b` is root `ns`, path `['a', 'b']`. At most four. */
  readonly path: readonly string[];
  /** Symbol path of the enclosing definition, `''` at module level. */
  readonly scope: string;
  /** Calls, `new`, JSX elements (which pass one object), objects assigned to a type, and keyword arguments of a base. */
  readonly call: CallShape | null;
  /** Number of explicit type arguments, one for `Repo<User>`; null where none can be written. */
  readonly typeArguments: number | null;
  /** `typeof x`, `hasattr(x, …)`, `x?.y` on a missing member, `if (ns.foo)`: the use tests for existence. */
  readonly guarded: boolean;
}

export interface CallShape {
  /** Positional arguments before any spread. */
  readonly positional: number;
  readonly keywords: readonly string[];
  /** A spread of positional arguments: `...xs`, `*args`. */
  readonly spread: boolean;
  /** A spread of keyword arguments: `**kw`. */
  readonly keywordSpread: boolean;
  /** Positional arguments that are object literals: index, listed keys, and whether more may be spread in. */
  readonly objects: readonly {
    readonly index: number;
    readonly keys: readonly string[];
    readonly open: boolean;
  }[];
  readonly awaited: boolean;
  readonly result: CallResult;
  /** Into how many parts the result is destructured: `a, b = f()`, `const [a, b] = f()`. */
  readonly unpacked: number | null;
}

/**
 * What happens to the value of a call, ignoring `await`: `member` when a member is read, `tested` when its existence is tested first,
 * `chained` when it is used as a promise, `dropped` when it is unused. A local that holds it counts as the value until its next use.
 * `expected`: no call; a test asserts how a mock of the function was called. Python also tells `item`, a part that every sequence has
 * (`find()[0]`, `find().count(1)`), from `member`, and knows `entered`, `with find():`; `sized`, `len(find())`; and `iterated`,
 * `for a, b in find()`, where `unpacked` counts the parts of each element.
 */
export type CallResult =
  | 'member'
  | 'item'
  | 'entered'
  | 'sized'
  | 'iterated'
  | 'tested'
  | 'chained'
  | 'dropped'
  | 'other'
  | 'expected';

/** A literal that is compared with a value of a known type, `job.status === 2`, or looked up in an enum: `Status(2)`. */
export interface Comparison extends Span {
  readonly root: string;
  readonly rootIs: Use['rootIs'];
  readonly path: readonly string[];
  readonly scope: string;
  /** As JSON. */
  readonly literal: string;
}

/** A `switch` or `match` whose cases are all values. */
export interface Switch extends Span {
  /** Symbol path of the enclosing definition, `''` at module level. */
  readonly scope: string;
  /** The values it lists: literals as JSON, members of enums as dotted names. */
  readonly cases: readonly string[];
  readonly hasDefault: boolean;
}

/** A `try` block: errors of these classes do not leave it. */
export interface Handler extends Span {
  readonly scope: string;
  /** Dotted names of the classes. */
  readonly catches: readonly TypeName[];
}

export interface DuplicateKey {
  /** Path of the key from the document's root: `scripts.test`. */
  readonly key: string;
  /** Lines of every occurrence, ascending. */
  readonly lines: readonly number[];
}
