import { expect, test } from 'vitest';
import { RecentBlobs } from './recent-blobs.ts';

test('the oldest contents leave when there are too many bytes; a large one is not kept', () => {
  const recent = new RecentBlobs(64);
  const ids = Array.from({ length: 18 }, (_, number) => `blob ${number}`);
  for (const id of ids) recent.add(id, Buffer.alloc(4));
  recent.add('blob 17', Buffer.alloc(4));
  recent.add('large', Buffer.alloc(5));
  expect([...ids, 'large'].filter((id) => recent.get(id))).toEqual(ids.slice(2));
});
