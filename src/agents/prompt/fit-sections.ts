import { createHash } from 'node:crypto';

/** A part of a prompt that is included as a whole or not at all. */
export interface Section {
  /** `artifact#section`, as a handoff cites it. */
  readonly id: string;
  readonly text: string;
  /** Never left out, whatever its size. */
  readonly isFixed: boolean;
}

export interface Prompt {
  readonly text: string;
  readonly included: readonly string[];
  readonly dropped: readonly string[];
  readonly sha256: string;
}

/** As many whole sections as fit into the limit in UTF-8 bytes, in order, and a record of what was left out. */
export function fitSections(wanted: readonly Section[], maxBytes: number): Prompt {
  const sections = wanted.filter((section) => section.text !== '');
  let bytes = sections.filter((section) => section.isFixed).reduce((sum, section) => sum + size(section), 0);
  const included: Section[] = [];
  const dropped: string[] = [];
  for (const section of sections) {
    if (!section.isFixed && bytes + size(section) > maxBytes) dropped.push(section.id);
    else {
      included.push(section);
      if (!section.isFixed) bytes += size(section);
    }
  }
  const text = included.map((section) => section.text).join('\n');
  return {
    text,
    included: included.map((section) => section.id),
    dropped,
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

/** Includes the line end that joins sections. */
function size(section: Section): number {
  return Buffer.byteLength(section.text) + 1;
}
