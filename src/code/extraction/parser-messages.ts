import type { DataFacts } from '#code/formats/shared/data-facts.ts';

/** A blob to read: its facts as a language, or the shared data that a file of this path describes. */
export type ParseRequest =
  | { readonly kind: 'facts'; readonly language: string; readonly content: Uint8Array }
  | { readonly kind: 'data'; readonly path: string; readonly text: string };

/** Packed facts, null for a blob that is not text; or the shared data, null when there is none. */
export type Reading = Uint8Array | DataFacts | null;

/** Blobs in, readings out, in the same order. */
export interface ParseOrder {
  readonly id: number;
  readonly requests: readonly ParseRequest[];
}

export interface ParseAnswer {
  readonly id: number;
  readonly readings: readonly Reading[];
}

export function sizeOf(request: ParseRequest): number {
  return request.kind === 'facts' ? request.content.length : request.text.length;
}
