import type { HandoffAnswer } from '#agents/driver.ts';
import { readRecord } from '#handoff/markdown/read-record.ts';
import { fencedBlocks } from '#lib/fenced-blocks.ts';

/** No handoff is longer than this. */
const longest = 256 * 1024;

/**
 * How an agent that only prints text hands in its handoff: the last fenced block of its last message that is marked
 * `handoff`, else a Markdown Handoff Record, else the last JSON block. Not a file: an agent may only be allowed to write
 * in its worktree, where a file would be part of the work. Null if there is none.
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

/** The message to an agent whose handoff was refused, or that must learn something before it ends. */
export function askAgain({ text, isAboutWork }: Extract<HandoffAnswer, { accepted: false }>): string {
  const next = isAboutWork
    ? 'Change your work accordingly. Then hand in again: the whole handoff, in one block fenced with ```handoff.'
    : 'The work itself is not in question. Answer with the corrected handoff alone, in one block fenced with ```handoff.';
  return `${text}\n\n${next}\n`;
}
