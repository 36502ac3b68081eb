import { linkBelow } from '#lib/own-place.ts';
import { UsageError } from '#schema/errors.ts';

/** Refuses to write through a link of the repository: it may lead to any file of the person. */
export function demandRealPlace(root: string | null, file: string): void {
  const link = root === null ? null : linkBelow(root, file);
  if (link === null) return;
  throw new UsageError({
    code: 'link-in-the-way',
    message: `${file} is not written: ${link} is a link`,
    hint: `look where it leads, then remove it: ls -l ${link}`,
  });
}
