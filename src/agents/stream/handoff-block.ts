const fence = /^[ \t]*(`{3,}|~{3,})[ \t]*(?<info>[^\n`]*)\n(?<body>[\s\S]*?)^[ \t]*\1[ \t]*$/gm;
/** A claim longer than this is none, and looking for fences in what has no end would take for ever. */
const longest = 256 * 1024;

/**
 * How an agent that only talks hands in its claim: the last fenced block of its last message that is marked `handoff`,
 * or else the last JSON block. Not a file: an agent may be allowed to write in its worktree alone, where a file would
 * be part of the work. Null when there is none.
 */
export function readHandoffBlock(message: string): string | null {
  const blocks = [...message.slice(-longest).matchAll(fence)].map(({ groups }) => ({
    info: (groups?.info ?? '').trim().toLowerCase(),
    body: groups?.body ?? '',
  }));
  const marked = blocks.findLast(({ info }) => info.split(/\s+/).includes('handoff'));
  return (marked ?? blocks.findLast(({ info }) => info === 'json'))?.body ?? null;
}

/** What is said to an agent whose handoff was refused. */
export function askAgain(refusal: string): string {
  return `${refusal}\n\nThe work itself is not in question. Answer with the corrected handoff alone, in one block fenced with \`\`\`handoff.\n`;
}
