import { estree } from './estree-grammar.ts';
import { type EstreeNode, isNode, type Meaning, type Pending } from './estree-node.ts';
import { type EstreeReader, specialFields } from './estree-special.ts';
import type { FlatTree } from './flat-tree.ts';
import { Flag, type FlagName, Kind, type KindName, Role, type RoleName } from './grammar.ts';

interface Rule {
  readonly kind: KindName | '^' | '!';
  readonly parts: readonly {
    readonly role: RoleName | '^';
    readonly property: string;
    readonly meaning: Meaning;
  }[];
  readonly flags: readonly { readonly flag: number; readonly property: string; readonly value: unknown }[];
}

/** Compiled on demand, which is rare. */
let rules: ReadonlyMap<string, Rule> | undefined;

function ruleOf(type: string): Rule | undefined {
  rules ??= new Map(estree.trim().split('\n').map(compileRule));
  return rules.get(type);
}

/** Reads a program given as objects into `tree`. Slow, but needs nothing experimental. */
export function readEstree(program: EstreeNode, tree: FlatTree): void {
  tree.clear();
  const reader = new Reader(tree);
  reader.run(program);
  tree.close();
}

class Reader implements EstreeReader {
  readonly #tree: FlatTree;
  readonly #stack: Pending[] = [];
  /** Children of the current node in order; they are pushed onto the stack last first. */
  #children: Pending[] = [];

  constructor(tree: FlatTree) {
    this.#tree = tree;
  }

  run(program: EstreeNode): void {
    this.#stack.push({ node: program, role: Role.other, parent: -1, meaning: 'Reference' });
    for (let next = this.#stack.pop(); next !== undefined; next = this.#stack.pop()) {
      this.#children = [];
      const special = specialFields[next.node.type];
      if (special) special(this, next);
      else this.byRule(next, next.node.type);
      for (let i = this.#children.length - 1; i >= 0; i--) this.#stack.push(this.#children[i] as Pending);
    }
  }

  byRule(pending: Pending, type: string): void {
    const rule = ruleOf(type);
    if (rule === undefined) throw new Error(`unknown node type ${type}`);
    const { node, role } = pending;
    if (rule.kind === '!') return;
    let flags = 0;
    for (const { flag, property, value } of rule.flags) if (node[property] === value) flags |= flag;
    const parent = rule.kind === '^' ? pending.parent : this.add(pending, rule.kind, flags);
    for (const part of rule.parts) {
      this.child(node[part.property], part.role === '^' ? role : Role[part.role], parent, part.meaning);
    }
  }

  add(pending: Pending, kind: KindName, flags = 0): number {
    const { node, role, parent } = pending;
    return this.#tree.add(Kind[kind], role, flags, node.start, node.end, parent);
  }

  kindAt(node: number): number {
    return this.#tree.kind[node] as number;
  }

  addAt(kind: KindName, role: number, flags: number, start: number, end: number, parent: number): number {
    return this.#tree.add(Kind[kind], role, flags, start, end, parent);
  }

  child(value: unknown, role: number, parent: number, meaning: Meaning = 'Reference'): void {
    if (Array.isArray(value)) for (const element of value) this.child(element, role, parent, meaning);
    else if (isNode(value)) this.#children.push({ node: value, role, parent, meaning });
  }
}

function compileRule(line: string): [string, Rule] {
  const [type = '', kind = '', ...words] = line.split(' ');
  return [
    type,
    {
      kind: kind === '-' ? 'Other' : (kind as Rule['kind']),
      parts: words.filter((word) => !word.startsWith('+')).map(compilePart),
      flags: words.filter((word) => word.startsWith('+')).map(compileFlag),
    },
  ];
}

function compilePart(word: string): Rule['parts'][number] {
  const [, role = '', property = '', meaning = 'Reference'] = /^(\^|\w+):(\w+)(?:=(\w+))?$/.exec(word) ?? [];
  return { role: role as RoleName | '^', property, meaning: meaning as Meaning };
}

function compileFlag(word: string): Rule['flags'][number] {
  const [, flag = '', property = '', value] = /^\+(\w+):(\w+)(?:=(.+))?$/.exec(word) ?? [];
  return {
    flag: Flag[flag as FlagName],
    property,
    value: value === undefined ? true : value.replace('_', ' '),
  };
}
