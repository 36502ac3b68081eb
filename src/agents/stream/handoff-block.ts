import type { HandoffAnswer } from '#agents/driver.ts';
import { readRecord } from '#handoff/markdown/read-record.ts';
import { fencedBlocks } from '#lib/fenced-blocks.ts';

/** A claim longer than this is none. */
const longest = 256 * 1024;

/**
 * How an agent that only talks hands in its claim: the last fenced block of its last message that is marked `handoff`,
 * a Markdown Handoff Record, or else the last JSON block. Not a file: an agent may be allowed to write in its worktree alone, where a file would
 * be part of the work. Null when there is none.
 */
export function readHandoffBlock(message: string): string | null {
  const blocks = fencedBlocks(message.slice(-longest)).map(({ info, body }) => ({
    info: info.toLowerCase(),
    body,
  }));
  const marked = blocks.findLast(({ info }) => info.split(/\s+/).includes('handoff'));
  if (marked) return marked.body;
  // An agent that can only write Markdown ends its message with a Handoff Record.
  if (readRecord(message.slice(-longest))) return message.slice(-longest);
  return blocks.findLast(({ info }) => info === 'json')?.body ?? null;
}

/** What is said to an agent whose handoff was refused, or that has to know something before it is finished. */
export function askAgain({ text, isAboutWork }: Extract<HandoffAnswer, { accepted: false }>): string {
  const next = isAboutWork
    ? 'Change your work accordingly. Then hand in again: the whole handoff, in one block fenced with ```handoff.'
    : 'The work itself is not in question. Answer with the corrected handoff alone, in one block fenced with ```handoff.';
  return `${text}\n\n${next}\n`;
}
