import type { SpecKind } from '#schema/planning.ts';

/** A spec with the specs it links to, in the form a step records. */
export interface SpecBundle {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly kind: SpecKind;
  readonly text: string;
  readonly sha256: string;
  readonly linked: readonly SpecFile[];
}

export interface SpecFile {
  readonly path: string;
  readonly kind: SpecKind;
  readonly text: string;
}

/** The folder gives the kind; anywhere else a spec is of kind `feature`, complete in one file. */
const folders: readonly (readonly [string, SpecKind])[] = [
  ['product', 'prd'],
  ['tech', 'rfc'],
  ['design', 'design'],
  ['defects', 'defect'],
];

export function kindOf(path: string): SpecKind {
  const parts = path.split('/').slice(0, -1);
  return folders.find(([folder]) => parts.at(-1) === folder)?.[1] ?? 'feature';
}

/** Path of a new spec of a kind. */
export function specPath(kind: SpecKind, name: string): string {
  const folder = folders.find(([, each]) => each === kind)?.[0];
  return folder === undefined ? `specs/${name}.md` : `specs/${folder}/${name}.md`;
}

/** `specs/tech/checkout.md` is about `checkout`. */
export function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.md$/i, '');
}
