import { createHash } from 'node:crypto';
import { canonicalJson } from '#lib/canonical-json.ts';
import type { Contract } from '#schema/contract.ts';

/** Identifies a contract: equal for equal content, whatever the formatting. */
export function contractDigest(contract: Contract): string {
  return createHash('sha256').update(canonicalJson(contract)).digest('hex');
}
