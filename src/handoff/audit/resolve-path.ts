/** Where a written path points, before the disk is read. */
export type WrittenPath =
  | { readonly kind: 'document'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'invalid'; readonly why: string };

/**
 * A bare name is a document of the audited folder, `harness/x.md` one of the project's harness, anything else a path from
 * the top of the repository. A path that could lead outside is refused before the disk is touched.
 */
export function resolvePath(written: string): WrittenPath {
  const why = refusal(written);
  if (why !== null) return { kind: 'invalid', why };
  if (!written.includes('/')) return { kind: 'document', name: written };
  const path = written
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
  return { kind: 'file', path: path.startsWith('harness/') ? `.claude/${path}` : path };
}

function refusal(path: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here.
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'it contains control characters';
  if (/^[a-z]:[\\/]/i.test(path) || path.startsWith('/') || path.startsWith('\\')) return 'it is absolute';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return 'it is an address, not a file';
  if (path.startsWith('~')) return 'it points into a home folder';
  if (path.split(/[\\/]/).includes('..')) return 'it leaves the repository';
  if (path.includes('\\')) return 'it has backslashes';
  return null;
}
