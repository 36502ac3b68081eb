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
  /** Blob id of exactly these bytes. */
  readonly id: string;
}

/** Whether a setting or attribute can make a file in a worktree differ from the bytes in its commit. */
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
 * The ids of files as git would commit them, after line ends, encodings and the user's filters. Works on copies, in a folder that no other
 * process has used.
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

/** Quotes a path that may contain any byte, for git. */
function quote(path: string): string {
  const escaped = [...path].map((letter) =>
    /[\w./ -]/.test(letter) ? letter : `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped.join('')}"`;
}
