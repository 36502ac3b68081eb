import type { Comment } from '#ci/forge.ts';

/** The first line of our comment, which identifies it later. */
export const marker = '<!-- joinery:check -->';

export type CommentPlan =
  | { readonly action: 'none' | 'unchanged'; readonly surplus: readonly number[] }
  | { readonly action: 'create' }
  | { readonly action: 'update'; readonly id: number; readonly surplus: readonly number[] };

/** Our comments start with the marker and come from a bot or from our own user: anyone may copy the marker. */
export function isOwn({ body, isBot, author }: Comment, self: string | null): boolean {
  return body.startsWith(marker) && (isBot || author === self);
}

/** Keeps one comment: edits it in place, creates none without findings, and deletes the duplicate of a parallel job. */
export function planComment(own: readonly Comment[], body: string, hasFindings: boolean): CommentPlan {
  const [first, ...others] = own;
  const surplus = others.map(({ id }) => id);
  if (!first) return hasFindings ? { action: 'create' } : { action: 'none', surplus: [] };
  if (sameText(first.body, body)) return { action: 'unchanged', surplus };
  return { action: 'update', id: first.id, surplus };
}

/** Forges change line ends and the final empty line. */
function sameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
  return plain(a) === plain(b);
}
