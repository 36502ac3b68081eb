import { expect, test } from 'vitest';
import type { TextPair } from './rule.ts';
import { pathCollision } from './t07-path-collision.ts';

test('each of the two paths is named with the branch that adds it', () => {
  const side = (ref: string, path: string) => ({ ref, changes: [{ status: 'added', path }] });
  const pair = { a: side('a', 'src/button.tsx'), b: side('b', 'src/Button.tsx') };
  const [found] = pathCollision.detect.text(pair as unknown as TextPair);
  const places = found?.problem.sites.map(({ file }, index) => `${found.siteSides?.[index]?.ref} ${file}`);
  expect(places).toEqual(['b src/Button.tsx', 'a src/button.tsx']);
});
