import { join, resolve } from 'node:path';
import { readFoundFile } from '#lib/read-found-file.ts';

/**
 * The commit that a nested repository has checked out, read from its files: git would follow its settings there. Null when the files do not
 * say.
 */
export function nestedHead(folder: string): string | null {
  const link = /^gitdir: (.+)$/m.exec(textOf(join(folder, '.git')))?.[1];
  const gitDir = link === undefined ? join(folder, '.git') : resolve(folder, link);
  const head = textOf(join(gitDir, 'HEAD')).trim();
  const ref = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1];
  const id = ref === undefined ? head : refOf(gitDir, ref);
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : null;
}

function refOf(gitDir: string, ref: string): string {
  if (ref.split('/').includes('..')) return '';
  const loose = textOf(join(gitDir, ref)).trim();
  const packed = () =>
    textOf(join(gitDir, 'packed-refs'))
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`));
  return loose || (packed()?.split(' ')[0] ?? '');
}

function textOf(file: string): string {
  return readFoundFile(file) ?? '';
}
