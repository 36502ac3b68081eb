import type { OxcBuffer } from './oxc-buffer.ts';

/** Enough for the largest text that is parsed, three bytes for each of its UTF-16 units. */
const sourceBytes = 60_000_000;
/** Memory that was not used for this long may be collected. */
const idleAfterMs = 10_000;

/** The memory oxc parses in: of its gigabytes only what a tree takes is ever touched. */
interface Memory {
  readonly buffer: OxcBuffer;
  readonly block: Uint8Array;
  readonly source: Uint8Array;
}

/** Parses and hands out the buffer with the tree, which is valid until the next call. `utf8` are the bytes of the text, if known. */
export type Transfer = (text: string, utf8: Uint8Array | undefined, options: object) => OxcBuffer;

/**
 * What `oxc-parser/src-js/raw-transfer/common.js` does, for one caller at a time: the source always lies in the same
 * place, bytes that are there already are copied rather than encoded, and no timer is set for each file.
 */
export async function openTransfer(idleMs = idleAfterMs): Promise<Transfer> {
  const { rawTransferSupported } = await import('oxc-parser');
  if (!rawTransferSupported()) throw new Error('raw transfer is not supported here');
  const { getBufferOffset, parseRawSync } = await import('oxc-parser/src-js/bindings.js');
  const layout = await import('oxc-parser/src-js/generated/constants.js');
  const sourceAt = layout.ACTIVE_SIZE - sourceBytes;
  const encoder = new TextEncoder();
  let memory: Memory | null = null;
  let isIdle = true;
  let before: WeakRef<SharedArrayBuffer> | null = null;

  // V8 does not count these gigabytes and may not collect them for hours. Until it does they are used again: with a few of
  // them side by side the system refuses to start programs (ENOMEM), because a fork would double them.
  const block = (): SharedArrayBuffer => {
    const known = before?.deref();
    // Shared with nobody, but V8 counts other buffers and would collect all garbage on their account.
    const whole = known ?? new SharedArrayBuffer(layout.BLOCK_SIZE + layout.BLOCK_ALIGN);
    if (!known) before = new WeakRef(whole);
    return whole;
  };

  const allocate = (): Memory => {
    const whole = block();
    const offset = getBufferOffset(new Uint8Array(whole));
    const release = setInterval(() => {
      if (isIdle) {
        memory = null;
        clearInterval(release);
      }
      isIdle = true;
    }, idleMs).unref();
    return {
      buffer: Object.assign(new Uint8Array(whole, offset, layout.BUFFER_SIZE), {
        int32: new Int32Array(whole, offset, layout.BUFFER_SIZE / 4),
      }),
      block: new Uint8Array(whole, offset, layout.BLOCK_SIZE),
      source: new Uint8Array(whole, offset + sourceAt, sourceBytes),
    };
  };

  return (text, utf8, options) => {
    if (text.length * 3 > sourceBytes) throw new Error('the text is too long');
    memory ??= allocate();
    isIdle = false;
    const { buffer, block, source } = memory;
    if (utf8 !== undefined) source.set(utf8);
    const length = utf8 === undefined ? encoder.encodeInto(text, source).written : utf8.length;
    parseRawSync('file', block, sourceAt, length, options);
    return buffer;
  };
}
