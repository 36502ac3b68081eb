import { createHash } from 'node:crypto';
import { canonicalJson } from '#lib/canonical-json.ts';
import type { Contract } from '#schema/contract.ts';

/** What a contract is signed with: the same for the same agreement, however it is written. */
export function contractDigest(contract: Contract): string {
  return createHash('sha256').update(canonicalJson(contract)).digest('hex');
}
