import type { Workspace } from '#check/branches/branch-tips.ts';

/** Longer files are not compared line by line. */
const mostBytes = 4 * 1024 * 1024;

/** The text of a blob; null when it is absent, binary or very long. */
export async function readText(
  { objects }: Pick<Workspace, 'objects'>,
  blob: string | undefined,
): Promise<string | null> {
  const content = blob === undefined ? null : (await objects.blob(blob, mostBytes))?.content;
  return content && !content.includes(0) ? content.toString('utf8') : null;
}
