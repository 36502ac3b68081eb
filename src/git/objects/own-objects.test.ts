import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { ObjectReader } from './object-reader.ts';
import { createScratch } from './scratch.ts';

/** From 2048 and from 262,144 on git writes the size with one more byte. */
const sizes = [0, 64, 2047, 2048, 262_143, 262_144];

/** A tree object of one file, exactly `size` bytes long. */
function treeOf(size: number, blob: string): Buffer {
  const id = Buffer.from(blob, 'hex');
  const name = 'n'.repeat(Math.max(0, size - '100644 \0'.length - id.length));
  return size === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from(`100644 ${name}\0`), id]);
}

test.each(['sha1', 'sha256'])(
  'git reads the objects that we write, even while it runs (%s)',
  async (format) => {
    const dir = temporaryFolder();
    const git = (args: readonly string[], input = '') =>
      execFileSync('git', args, { cwd: dir, input, encoding: 'utf8' }).trim();
    git(['init', '--quiet', `--object-format=${format}`]);
    const blob = git(['hash-object', '-w', '--stdin'], 'text');
    const scratch = await createScratch(await openRepository(dir), join(dir, 'scratch'));
    const objects = new ObjectReader(scratch.git);
    try {
      expect((await objects.content(blob))?.toString()).toBe('text');
      const contents = sizes.map((size) => treeOf(size, blob));
      const ids = contents.map((content) => scratch.own.add('tree', content));
      const read = await Promise.all(ids.map((id) => objects.content(id)));
      expect(read.map((content) => content?.length)).toEqual(sizes);
      expect(read).toEqual(contents);
      const text = `tree ${ids.at(-1)}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nm\n`;
      const commit = scratch.own.add('commit', Buffer.from(text));
      expect(await scratch.git.text(['fsck', '--strict', '--full', '--no-dangling', commit])).toBe('');
      expect((await scratch.git.text(['count-objects', '-v'])).split('\n')).toEqual(
        expect.arrayContaining(['count: 0', 'packs: 2', 'garbage: 0']),
      );
      // An object that was written is not written again.
      scratch.own.add('commit', Buffer.from(text));
      for (const content of contents) scratch.own.add('tree', content);
      expect(await scratch.git.text(['cat-file', 'commit', commit])).toBe(text.trimEnd());
      expect(await scratch.git.text(['count-objects', '-v'])).toContain('packs: 2');
    } finally {
      objects.close();
      await scratch.remove();
    }
  },
);
