import type { Definition, DefinitionKind, Facts, Import, Parameter, Use } from '#code/facts/facts.ts';
import type { NodeId, SyntaxTree } from './syntax-tree.ts';

/** What a language says about the nodes of its grammar: all that `readFacts` needs to turn a tree into facts. */
export interface Reading {
  readonly module: Facts['module'];
  /** What a node defines; nothing for most. */
  define(tree: SyntaxTree, node: NodeId): readonly Defined[];
  /** Kinds of nodes in which names are bound that are seen inside only. */
  readonly scopes: ReadonlySet<string>;
  /** Those of them that bind the type parameters of a class: what is defined inside are members. */
  readonly typeScopes: ReadonlySet<string>;
  /** Names that a node binds in the scope around it: parameters, variables, loop variables. */
  bind(tree: SyntaxTree, node: NodeId): readonly Bound[];
  imports(tree: SyntaxTree, node: NodeId): readonly Imported[];
  /** Imports that every file has: the names of its package. */
  implicitImports?(tree: SyntaxTree): readonly Imported[];
  /** Kinds of nodes that are names: `identifier`, `type_identifier`. */
  readonly names: ReadonlySet<string>;
  /** The name that a node means, where its text says less: `User` inside `module Shop`. */
  nameOf?(tree: SyntaxTree, name: NodeId): string;
  /** What a name is used for; null when it is none of this file's business: a key, a label, the name of a member. */
  use(tree: SyntaxTree, name: NodeId): Use['kind'] | null;
  /** Whether a node stands for the instance of the class around it: `this`. */
  isSelf(tree: SyntaxTree, node: NodeId): boolean;
  /** A member that is reached through a node: `a.b`. */
  access(tree: SyntaxTree, node: NodeId): Access | null;
  call(tree: SyntaxTree, node: NodeId): Called | null;
  /** Members of a named type that a node mentions: the keys of `User{Name: "a"}`. */
  namedMembers?(
    tree: SyntaxTree,
    node: NodeId,
  ): readonly { readonly type: string; readonly member: NodeId }[];
  /** A bare name in a class may mean a member of the class: `save()` is `this.save()`. */
  readonly hasImplicitSelf: boolean;
  /** Names that the language brings. */
  readonly globals: { has(name: string): boolean };
  /** Why the names of the file are not all known. */
  opaque?(tree: SyntaxTree): readonly string[];
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
  /** The class it belongs to, where that is not the one around it: the receiver of a method in Go. null: none. */
  readonly container?: string | null;
  /** Functions and methods. */
  readonly parameters?: readonly Parameter[];
  readonly returns?: string | null;
  /** Where its body starts; what stands before it, from the name on, is its signature. */
  readonly body?: NodeId;
  /** The name itself, where the node says something else: `attr_reader :name`. */
  readonly as?: string;
  /** Other files may use it. Left out: whoever sees the file may. */
  readonly exported?: boolean;
}

export interface Bound {
  readonly name: NodeId;
  /** The named type of what it holds. */
  readonly type?: string | null;
}

export type Imported = Pick<Import, 'local' | 'imported' | 'from'> &
  Partial<Pick<Import, 'guarded' | 'form'>> & {
    /** Others can import the name from here. */
    readonly isPassedOn?: boolean;
  };

interface Access {
  readonly object: NodeId;
  readonly member: NodeId;
}

export interface Called {
  /** The name or access that is called; NONE when it is something else. */
  readonly callee: NodeId;
  readonly kind: 'call' | 'new';
  readonly positional: number;
  readonly keywords?: readonly string[];
  /** Arguments that may be any number of values. */
  readonly spread?: boolean;
  readonly keywordSpread?: boolean;
}

/** A parameter with what most lack. */
export function parameterOf(
  name: string,
  given: Partial<Omit<Parameter, 'name'>> & { readonly required: boolean },
): Parameter {
  return { name, kind: 'positional', default: null, type: null, typeName: null, shape: null, ...given };
}
