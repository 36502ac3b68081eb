/** Parts of oxc-parser that its `exports` offer without type declarations. */
declare module 'oxc-parser/src-js/bindings.js' {
  /** Where in the memory the block begins that oxc can use. */
  export function getBufferOffset(memory: Uint8Array): number;
  /** Parses the UTF-8 source that lies in the block, and leaves the tree in there. */
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
}
