/** Parts of oxc-parser that its `exports` offer without type declarations. */
declare module 'oxc-parser/src-js/raw-transfer/common.js' {
  interface TransferBuffer extends Uint8Array {
    readonly int32: Int32Array;
  }
  /** Parses into a buffer and hands it to `convert`; throws where raw transfer is not supported. */
  export function parseSyncRawImpl<T>(
    filename: string,
    sourceText: string,
    options: object,
    convert: (buffer: TransferBuffer) => T,
  ): T;
  export function returnBufferToCache(buffer: TransferBuffer): void;
}

declare module 'oxc-parser/src-js/generated/constants.js' {
  export const DATA_POINTER_POS_32: number;
  export const PROGRAM_OFFSET: number;
}
