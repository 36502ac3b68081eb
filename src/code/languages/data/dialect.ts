import type { Dialect } from '#code/languages/dialect.ts';
import { cautious } from '#code/languages/shared/cautious.ts';
import { javascript } from '#code/languages/typescript/dialect.ts';

/** Keys and values. Only JavaScript and TypeScript import them, as objects with the members of every object. */
export const data: Dialect = {
  ...cautious,
  holds: 'data',
  declaresInComments: false,
  classes: javascript.classes,
};
