import type { Checked, CheckRequest } from './checker.ts';

/** A path, its object id (null: not in this tree) and its kind. */
export type TreeEntryMessage = readonly [path: string, id: string | null, kind: 'file' | 'symlink'];

type Blobs = readonly (readonly [id: string, text: string])[];

/** A request to the checker's process; every request has one answer. */
export type Request =
  | {
      readonly type: 'open';
      readonly kind: 'native' | 'classic';
      readonly packageDir: string;
      readonly root: string;
      /** `node_modules` folders without files of the repository. */
      readonly packages: readonly string[];
    }
  | { readonly type: 'base'; readonly entries: readonly TreeEntryMessage[]; readonly blobs: Blobs }
  /** From now on: base with these differences. */
  | { readonly type: 'tree'; readonly overlay: readonly TreeEntryMessage[]; readonly blobs: Blobs }
  | ({ readonly type: 'check' } & CheckRequest);

export type Answer =
  | { readonly type: 'opened'; readonly version: string }
  | { readonly type: 'ready' }
  | { readonly type: 'checked'; readonly checked: Checked }
  | { readonly type: 'failed'; readonly reason: string };
