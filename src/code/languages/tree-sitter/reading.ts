import type { Definition, DefinitionKind, Facts, Import, Parameter, Unread, Use } from '#code/facts/facts.ts';
import type { NodeId, SyntaxTree } from './syntax-tree.ts';

/** How a language interprets the nodes of its grammar: everything that `readFacts` needs to turn a tree into facts. */
export interface Reading {
  readonly module: Facts['module'];
  /** The definitions of a node; empty for most. */
  define(tree: SyntaxTree, node: NodeId): readonly Defined[];
  /** Kinds of nodes that open a scope: names bound inside are visible only there. */
  readonly scopes: ReadonlySet<string>;
  /** Those that bind the type parameters of a class: definitions inside are members. */
  readonly typeScopes: ReadonlySet<string>;
  /** Names that a node binds in the enclosing scope: parameters, variables, loop variables. */
  bind(tree: SyntaxTree, node: NodeId, local: LocalTypes): readonly Bound[];
  /** A node of these kinds that belongs to the scope around it: the body of a function with its parameters. */
  sharesScope?(tree: SyntaxTree, node: NodeId): boolean;
  imports(tree: SyntaxTree, node: NodeId): readonly Imported[];
  /** Imports that every file has: the names of its package. */
  implicitImports?(tree: SyntaxTree): readonly Imported[];
  /** Kinds of nodes that are names: `identifier`, `type_identifier`. */
  readonly names: ReadonlySet<string>;
  /** The full name that a node means, where its text is shorter: `Shop::User` for `User` inside `module Shop`. */
  nameOf?(tree: SyntaxTree, name: NodeId): string;
  /** How a name is used; null when it is not a use: a key, a label, the name of a member. */
  use(tree: SyntaxTree, name: NodeId): Use['kind'] | null;
  /** Whether a node means the instance of the enclosing class: `this`. */
  isSelf(tree: SyntaxTree, node: NodeId): boolean;
  /** The class of that instance, if the enclosing class is not one definition: `User` in `impl User`. null: unknown. */
  selfType?(tree: SyntaxTree, node: NodeId): string | null;
  /** The type of a value that is neither a name nor a member of one: `Store.find.()` for `store.find(1)`. */
  valueType?(tree: SyntaxTree, node: NodeId, local: LocalTypes): string | null;
  /** A member access: `a.b`. */
  access(tree: SyntaxTree, node: NodeId): Access | null;
  call(tree: SyntaxTree, node: NodeId): Called | null;
  /** Values of a class of this file that a node gives to something else. */
  given?(tree: SyntaxTree, node: NodeId, local: LocalTypes): readonly Given[];
  /** Members of a named type that a node mentions: the keys of `User{Name: "a"}`. */
  namedMembers?(
    tree: SyntaxTree,
    node: NodeId,
    local: LocalTypes,
  ): readonly { readonly type: string; readonly member: NodeId }[];
  /** A `switch` or `match` whose cases are all values. */
  switched?(tree: SyntaxTree, node: NodeId): Switched | null;
  /** A bare name in a class may mean a member of the class: `save()` is `this.save()`. */
  readonly hasImplicitSelf: boolean;
  /** Built-in names of the language. */
  readonly globals: { has(name: string): boolean };
  /** Why some names of the file are unknown. */
  opaque?(tree: SyntaxTree): readonly string[];
  /** What brings names that the file does not list. */
  unread?(tree: SyntaxTree): readonly Unread[];
}

export interface Defined
  extends Partial<
    Pick<
      Definition,
      | 'bases'
      | 'implements'
      | 'members'
      | 'static'
      | 'abstract'
      | 'overrides'
      | 'async'
      | 'optional'
      | 'type'
      | 'conditional'
      | 'overload'
      | 'hidden'
      | 'literals'
      | 'decorators'
      | 'typeParameters'
    >
  > {
  readonly name: NodeId;
  readonly kind: DefinitionKind;
  /** The class it belongs to, if that is not the enclosing one: the receiver of a method in Go. null: none. */
  readonly container?: string | null;
  /** Functions and methods. */
  readonly parameters?: readonly Parameter[];
  readonly returns?: string | null;
  /** How many type parameters a function has. */
  readonly typeCount?: number;
  /** Where its body starts; the text between the name and the body is its signature. */
  readonly body?: NodeId;
  /** The name, if the node has another text: `attr_reader :name`. */
  readonly as?: string;
  /** Other files may use it. Undefined: every file that sees this one may. */
  readonly exported?: boolean;
}

export interface Bound {
  readonly name: NodeId;
  /** A type of this scope, such as a type parameter: it hides the type of this name of the file. */
  readonly isType?: true;
  /** The named type of its value. */
  readonly type?: string | null;
  /** The first node that sees it; missing: the whole scope does. */
  readonly from?: NodeId;
}

/** The named type of a local; null: an unknown one. undefined: no scope around the node binds the name. */
export type LocalTypes = (name: string) => string | null | undefined;

/** A value of the class `type` goes where one of the type `to` is expected. */
export interface Given {
  readonly type: string;
  readonly to: string;
}

export type Imported = Pick<Import, 'local' | 'imported' | 'from'> &
  Partial<Pick<Import, 'guarded' | 'form'>> & {
    /** Other files can import the name from here. */
    readonly isPassedOn?: boolean;
  };

/** Dotted names of the members of an enum that are cases: `Kind.Open`. */
export interface Switched {
  readonly cases: readonly string[];
  readonly hasDefault: boolean;
}

interface Access {
  readonly object: NodeId;
  readonly member: NodeId;
}

export interface Called {
  /** The name or access that is called; `none` when it is something else. */
  readonly callee: NodeId;
  readonly kind: 'call' | 'new';
  readonly positional: number;
  readonly keywords?: readonly string[];
  /** An argument may expand to any number of values. */
  readonly spread?: boolean;
  readonly keywordSpread?: boolean;
  /** How many values the code takes from it. */
  readonly unpacked?: number | null;
}

/** A parameter with default values for the rest. */
export function parameterOf(
  name: string,
  given: Partial<Omit<Parameter, 'name'>> & { readonly required: boolean },
): Parameter {
  return { name, kind: 'positional', default: null, type: null, typeName: null, shape: null, ...given };
}
