/** One row of a tree object. */
export interface RawEntry {
  /** As git writes it: 100644, 40000. */
  readonly mode: string;
  readonly name: string;
  readonly id: string;
}

/** The rows of a tree object, which are `<mode> <name>\\0<id in bytes>`, one after another. */
export function* rawEntries(content: Buffer, format: 'sha1' | 'sha256'): Generator<RawEntry> {
  const idBytes = format === 'sha256' ? 32 : 20;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    yield {
      mode: content.toString('latin1', at, space),
      name: content.toString('utf8', space + 1, end),
      id: content.toString('hex', end + 1, end + 1 + idBytes),
    };
    at = end + 1 + idBytes;
  }
}
