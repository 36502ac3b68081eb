import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scratch } from '#git/objects/scratch.ts';
import { checkoutGit } from './checkout-git.ts';
import type { CheckoutSettings } from './checkout-settings.ts';
import { pathIn } from './folder-files.ts';

/** A file that differs from the base, byte by byte. */
export interface ChangedFile {
  /** As latin1. */
  readonly path: string;
  readonly content: Buffer;
  /** Of these very bytes. */
  readonly id: string;
}

/** Whether anything says that files in a worktree are other bytes than in a commit. */
export function mayConvert(settings: CheckoutSettings, files: readonly { readonly path: string }[]): boolean {
  const { config, attributes } = settings;
  return (
    config.some(([key, value]) => key === 'core.autocrlf' && !/^(false|no|off|0)$/i.test(value)) ||
    attributes.user + attributes.repository !== '' ||
    files.some(({ path }) => /(^|\/)\.gitattributes$/.test(path))
  );
}

let counter = 0;

/**
 * The ids of files as git would take them into a commit: line ends, encodings, and filters of the user's own. Copies of
 * them are looked at, in a folder that no other process has used.
 */
export async function convertFiles(
  scratch: Scratch,
  settings: CheckoutSettings,
  attributes: readonly ChangedFile[],
  changed: readonly ChangedFile[],
): Promise<Map<string, string>> {
  const folder = join(scratch.dir, `convert-${counter++}`);
  mkdirSync(folder);
  try {
    for (const { path, content } of [...attributes, ...changed]) {
      const file = pathIn(folder, path);
      mkdirSync(Buffer.from(dirname(file.toString('latin1')), 'latin1'), { recursive: true });
      writeFileSync(file, content);
    }
    const names = changed.map(({ path }) => quote(path)).join('\n');
    const text = await checkoutGit(scratch, settings, folder).text(['hash-object', '-w', '--stdin-paths'], {
      input: `${names}\n`,
    });
    const ids = text.split('\n');
    return new Map(changed.map(({ path }, index) => [path, ids[index] ?? '']));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As git reads a path that may hold any byte. */
function quote(path: string): string {
  const escaped = [...path].map((letter) =>
    /[\w./ -]/.test(letter) ? letter : `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped.join('')}"`;
}
