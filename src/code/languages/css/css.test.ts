import { expect, test } from 'vitest';
import { cssModule } from './index.ts';

const read = (text: string) => {
  const [whole, ...keys] = cssModule.extract(text).definitions;
  return { members: whole?.members, names: keys.map(({ name }) => name) };
};

test('a CSS module offers the classes of its selectors, in the spellings of bundlers', () => {
  const text = [
    '/* .gone { } */',
    '.title, a.is-open > .body:hover { transition: all .5s; background: url(a.png) }',
    '@media (min-width: 3.5em) { .wide { content: ".text" } }',
    ':global(.theirs) .ours { }',
    '@value primary: red;',
  ].join('\n');
  expect(read(text)).toEqual({
    members: { open: false, lent: true },
    names: ['title', 'is-open', 'isOpen', 'body', 'wide', 'ours', 'primary'],
  });
});

test.each([
  ['a suffix of the parent', '.a { &-b { color: red } }'],
  ['interpolation', '.a-#{$size} { color: red }'],
  ['a mixin', '.a { @include states; }'],
  ['another file', "@import './more.css';"],
  ['exports of its own', ':export { size: 3px }'],
])('a module with %s may offer more', (_, text) => {
  expect(read(text).members).toEqual({ open: true });
});
