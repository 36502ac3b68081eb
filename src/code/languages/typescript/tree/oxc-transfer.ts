import type { OxcBuffer } from './oxc-buffer.ts';

/** Enough for the largest text that is parsed: three bytes per UTF-16 unit. */
const sourceBytes = 60_000_000;
/** Memory that was not used for this long may be collected. */
const idleAfterMs = 10_000;

/** The memory oxc parses in: of its gigabytes only the pages that a tree needs are ever touched. */
interface Memory {
  readonly buffer: OxcBuffer;
  readonly block: Uint8Array;
  readonly source: Uint8Array;
}

/** Parses a text and returns the buffer with the tree, which is valid until the next call. `utf8`: the bytes of the text, if known. */
export type Transfer = (text: string, utf8: Uint8Array | undefined, options: object) => OxcBuffer;

let shared: Promise<Transfer> | undefined;

/** One for all readers of a thread, which take turns: each reserves gigabytes of addresses. */
export function sharedTransfer(): Promise<Transfer> {
  shared ??= openTransfer();
  return shared;
}

/**
 * Does what `oxc-parser/src-js/raw-transfer/common.js` does, for one caller at a time: the source is always at the same place, existing
 * bytes are copied instead of encoded, and no timer is set for each file.
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

  // V8 does not count these gigabytes and may not collect them for hours, so they are reused until it does: with a few of them the system
  // refuses to start programs (ENOMEM), because a fork would double them.
  const block = (): SharedArrayBuffer => {
    const known = before?.deref();
    // Not shared, but V8 counts other kinds of buffers and would collect garbage because of them.
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
        float64: new Float64Array(whole, offset, layout.BUFFER_SIZE / 8),
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
