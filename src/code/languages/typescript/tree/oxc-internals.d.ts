/** Parts of oxc-parser that its `exports` offer without type declarations. */
declare module 'oxc-parser/src-js/bindings.js' {
  /** Where in the memory oxc's usable block starts. */
  export function getBufferOffset(memory: Uint8Array): number;
  /** Parses the UTF-8 source in the block, and leaves the tree there. */
  export function parseRawSync(
    filename: string,
    block: Uint8Array,
    sourceStart: number,
    sourceLength: number,
    options: object,
  ): void;
}

declare module 'oxc-parser/src-js/generated/constants.js' {
  export const ACTIVE_SIZE: number;
  export const BLOCK_ALIGN: number;
  export const BLOCK_SIZE: number;
  export const BUFFER_SIZE: number;
  export const DATA_POINTER_POS_32: number;
  export const PROGRAM_OFFSET: number;
  export const SOURCE_LEN_OFFSET: number;
  export const SOURCE_START_OFFSET: number;
}

declare module 'oxc-parser/src-js/generated/deserialize/ts.js' {
  /** Objects of the tree that lies in the memory. */
  export function deserialize(
    buffer: Uint8Array & { readonly int32: Int32Array; readonly float64: Float64Array },
    text: string,
    sourceStart: number,
    sourceLength: number,
  ): { readonly program: object; readonly errors: readonly unknown[] };
}
