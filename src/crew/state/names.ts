import { createHash, randomBytes } from 'node:crypto';
import type { Plan } from '#schema/plan.ts';

const alphabet = 'abcdefghjkmnpqrstvwxyz23456789';

/** Random, because a counter or a clock would collide between machines, clones and state folders. */
export function newRunId(): string {
  return idFrom(randomBytes(8));
}

/** Equal parts give equal ids. */
export function idOf(parts: readonly string[]): string {
  return idFrom(createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 8));
}

function idFrom(bytes: Uint8Array): string {
  return [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/**
 * A name for each task that is safe as the last part of a branch and as a folder on every system: task ids may be `..`,
 * `x.lock`, `CON`, or differ only in case.
 */
export function taskSlugs(plan: Plan): Map<string, string> {
  const used = new Set(['integration']);
  const slugs = new Map<string, string>();
  for (const { id } of plan.tasks) {
    const plain = id
      .replace(/\.{2,}/g, '.')
      .replace(/^[.-]+|(?<![.-])[.-]+$/g, '')
      .replace(/\.lock$/i, '');
    const isSafe = plain === id && !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(id);
    const slug = isSafe && !used.has(id.toLowerCase()) ? id : `${plain || 'task'}-${shortHash(id)}`;
    used.add(slug.toLowerCase());
    slugs.set(id, slug);
  }
  return slugs;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

export function taskBranch(run: string, slug: string): string {
  return `joinery/${run}/${slug}`;
}

export function integrationBranch(run: string): string {
  return `joinery/${run}/integration`;
}

/** Keeps otherwise unreachable work: of failed, interrupted and conflicting attempts. */
export function keptRef(run: string, slug: string, attempt: number): string {
  return `refs/joinery/${run}/kept/${slug}/${attempt}`;
}

/** Set in the environment of every process of an attempt, so that it can be found. */
export function attemptMark(run: string, slug: string, attempt: number): string {
  return `${run}/${slug}/${attempt}`;
}

/** Keeps a foreign value of a ref before the ref is moved back. */
export function foreignRef(run: string, token: number, n: number): string {
  return `refs/joinery/${run}/kept/refs/${token}-${n}`;
}

const agentDomain = 'agents.joinery.invalid';

/** The git identity of an agent: reflogs then show which task moved a ref. */
export function agentAddress(run: string, slug: string): string {
  return `${slug}.${run}@${agentDomain}`;
}
