import type { Comment } from '#ci/forge.ts';

/** The first line of our comment, by which it is found again. */
export const marker = '<!-- joinery:check -->';

export type CommentPlan =
  | { readonly action: 'none' | 'unchanged'; readonly surplus: readonly number[] }
  | { readonly action: 'create' }
  | { readonly action: 'update'; readonly id: number; readonly surplus: readonly number[] };

/** Ours begin with the marker and were written by a bot or by who we are: anybody else may copy the marker. */
export function isOwn({ body, isBot, author }: Comment, self: string | null): boolean {
  return body.startsWith(marker) && (isBot || author === self);
}

/** One comment: changed in place, not written while there is nothing to say; what two jobs at once left twice goes. */
export function planComment(own: readonly Comment[], body: string, hasFindings: boolean): CommentPlan {
  const [first, ...others] = own;
  const surplus = others.map(({ id }) => id);
  if (!first) return hasFindings ? { action: 'create' } : { action: 'none', surplus: [] };
  if (sameText(first.body, body)) return { action: 'unchanged', surplus };
  return { action: 'update', id: first.id, surplus };
}

/** Forges keep line ends and the last empty line as they like. */
function sameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
  return plain(a) === plain(b);
}
