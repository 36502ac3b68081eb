const lfsHeader = 'version https://git-lfs.github.com/spec/';

/** The text of a blob; null when it is binary or a Git LFS pointer. */
export function decode(content: Buffer): string | null {
  if (content[0] === 0xff && content[1] === 0xfe) return content.toString('utf16le', 2);
  if (content.includes(0) || content.toString('latin1', 0, lfsHeader.length) === lfsHeader) return null;
  return content.toString('utf8');
}

export function reasonNotText(content: Buffer): string {
  return content.includes(0) ? 'binary content' : 'a Git LFS pointer: its content is not in the repository';
}
