import { visible } from '#lib/visible.ts';
import type { Severity } from '#schema/vocabulary.ts';

export const schemaUri =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export const levels: Record<Severity, 'error' | 'warning' | 'note'> = {
  blocking: 'error',
  important: 'warning',
  minor: 'note',
  info: 'note',
};

/** Brackets followed by parentheses would be a link; backslashes prevent that. */
export function escapeLinks(text: string): string {
  const shown = visible(text);
  return shown.includes('](') ? shown.replaceAll(/[\\[\]]/g, '\\$&') : shown;
}

/** Bytes that are not UTF-8 are kept, percent-encoded. */
export function pathUri(file: string): string {
  return file.replaceAll(/[^/]/gu, (character) => {
    const code = character.charCodeAt(0);
    if (code >= 0xdc80 && code <= 0xdcff) return `%${(code - 0xdc00).toString(16).toUpperCase()}`;
    return encodeURIComponent(character.toWellFormed());
  });
}
