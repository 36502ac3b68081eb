import type { Place } from '#contract/shapes.ts';
import { type ContractItem, type ItemStatus, itemStatuses } from '#schema/contract-report.ts';

/** A location before it is known which branch added it. */
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

/** An item is partial when some of its parts exist and others are missing. */
export function sumOf(parts: readonly Part[]): Part {
  const status = worst(parts.map((part) => part.status));
  const bad = parts.filter((part) => part.status !== 'satisfied');
  return {
    status: status === 'missing' ? 'partial' : status,
    detail: (bad.length > 0 ? bad : parts.slice(0, 1)).map(({ detail }) => detail).join('; '),
    evidence: parts.flatMap(({ evidence }) => evidence),
  };
}

/** Only letters and digits: `userId`, `user_id` and `UserID` are one name in three spellings. */
export function bare(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** `orders` and `Order` mean the same; so do `categories` and `Category`. */
export function singular(name: string): string {
  const plain = bare(name);
  if (plain.length > 4 && plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(plain)) return plain.slice(0, -2);
  return plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain;
}
