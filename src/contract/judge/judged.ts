import type { Place } from '#contract/shapes.ts';
import { type ContractItem, type ItemStatus, itemStatuses } from '#schema/contract-report.ts';

/** Something found, before it is known which branch brought it. */
export interface Found extends Omit<Place, 'line'> {
  readonly line: number | null;
  readonly what: string;
}

export interface Judged extends Omit<ContractItem, 'evidence' | 'brokenBy'> {
  readonly evidence: readonly Found[];
}

/** One part of an item: a field, a step of a path. */
export interface Part {
  readonly status: ItemStatus;
  readonly detail: string;
  readonly evidence: readonly Found[];
}

export function worst(statuses: Iterable<ItemStatus>): ItemStatus {
  const ranks = [...statuses].map((status) => itemStatuses.indexOf(status));
  return itemStatuses[Math.max(0, ...ranks)] ?? 'satisfied';
}

/** An item of which something is there is partial, even when a part of it is missing. */
export function sumOf(parts: readonly Part[]): Part {
  const status = worst(parts.map((part) => part.status));
  const bad = parts.filter((part) => part.status !== 'satisfied');
  return {
    status: status === 'missing' ? 'partial' : status,
    detail: (bad.length > 0 ? bad : parts.slice(0, 1)).map(({ detail }) => detail).join('; '),
    evidence: parts.flatMap(({ evidence }) => evidence),
  };
}

/** Letters and digits alone: `userId`, `user_id` and `UserID` are one name in three spellings. */
export function bare(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** `orders` and `Order` mean one thing; so do `categories` and `Category`. */
export function singular(name: string): string {
  const plain = bare(name);
  if (plain.length > 4 && plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(plain)) return plain.slice(0, -2);
  return plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain;
}
