/** A node of the parser: its properties depend on its type. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

export function nodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function node(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

/** Visits every node, parents first, without recursion: generated code nests deeply. */
export function walk(root: Node, visit: (each: Node, parent: Node | null) => void): void {
  const open: Node[] = [root];
  const parents: (Node | null)[] = [null];
  for (let each = open.pop(); each; each = open.pop()) {
    visit(each, parents.pop() ?? null);
    const first = open.length;
    for (const key in each) {
      const value = each[key];
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        for (const part of value) if (isNode(part)) open.push(part);
      } else if (typeof (value as Node).type === 'string') open.push(value as Node);
    }
    // Reverses the children, so that the first one is visited next.
    for (let low = first, high = open.length - 1; low < high; low++, high--)
      [open[low], open[high]] = [open[high] as Node, open[low] as Node];
    for (let at = first; at < open.length; at++) parents.push(each);
  }
}

/** `users` for `users` and for `"users"`; null for a computed key. */
export function keyName(property: Node): string | null {
  const key = node(property.key);
  if (!key || property.computed === true) return null;
  return key.type === 'Identifier' ? String(key.name) : literal(key);
}

/** The value of a string literal. */
export function literal(value: unknown): string | null {
  const each = node(value);
  if (each?.type === 'Literal') return typeof each.value === 'string' ? each.value : null;
  if (each?.type !== 'TemplateLiteral' || nodes(each.expressions).length > 0) return null;
  return cooked(nodes(each.quasis)[0]);
}

/** A string or a template with each of its values replaced. */
export function textWith(value: unknown, replacement: string): string | null {
  const each = node(value);
  if (each?.type !== 'TemplateLiteral') return literal(each);
  return nodes(each.quasis).map(cooked).join(replacement);
}

function cooked(quasi: Node | undefined): string {
  return String((quasi?.value as { cooked?: string } | undefined)?.cooked ?? '');
}

/** `['prisma', 'user', 'findMany']` for `prisma.user.findMany`; null if anything in it is computed or called. */
export function memberPath(value: unknown): string[] | null {
  const names: string[] = [];
  let each = node(value);
  while (each?.type === 'MemberExpression') {
    const property = node(each.property);
    if (each.computed === true || !property) return null;
    names.unshift(String(property.name));
    each = node(each.object);
  }
  if (each?.type === 'Identifier') return [String(each.name), ...names];
  return each?.type === 'ThisExpression' ? ['this', ...names] : null;
}

/** Explicit keys of an object literal with their values; `isOpen` when more are spread in. */
export function objectKeys(value: unknown): { keys: Map<string, Node>; isOpen: boolean } | null {
  const each = node(value);
  if (each?.type !== 'ObjectExpression') return null;
  const keys = new Map<string, Node>();
  let isOpen = false;
  for (const property of nodes(each.properties)) {
    const name = property.type === 'Property' ? keyName(property) : null;
    if (name === null) isOpen = true;
    else keys.set(name, node(property.value) ?? property);
  }
  return { keys, isOpen };
}

export function isFunction(value: unknown): value is Node {
  const type = node(value)?.type;
  return (
    type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration'
  );
}

/** Decorators of a class or member: `['Column', [arguments]]`. */
export function decorators(owner: Node): [name: string, args: Node[]][] {
  return nodes(owner.decorators).flatMap((each): [string, Node[]][] => {
    const expression = node(each.expression);
    if (expression?.type === 'CallExpression') {
      const name = memberPath(expression.callee)?.at(-1);
      return name ? [[name, nodes(expression.arguments)]] : [];
    }
    const name = memberPath(expression)?.at(-1);
    return name ? [[name, []]] : [];
  });
}
