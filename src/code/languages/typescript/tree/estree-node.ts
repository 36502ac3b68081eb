/** A node of the parser: its properties depend on its type. */
export interface EstreeNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** The meaning of an identifier at its place; patterns pass it on to the names in them. */
export type Meaning = 'Reference' | 'Binding' | 'Name';

/** A node that is still to be read, with its role. */
export interface Pending {
  readonly node: EstreeNode;
  readonly role: number;
  readonly parent: number;
  readonly meaning: Meaning;
}

export function nodes(value: unknown): EstreeNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function isNode(value: unknown): value is EstreeNode {
  return isObject(value) && typeof value.type === 'string';
}
