import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCommand } from '#cli/args/parse.ts';
import { commands } from '#cli/commands.ts';
import { UsageError } from '#schema/errors.ts';
import { sample } from '../support/sampling.ts';

const words = commands.flatMap(({ table }) => [
  table.name,
  ...table.options.flatMap(({ name }) => [`--${name}`, `--no-${name}`, `--${name}=x`]),
  ...table.positionals.flatMap(({ values = [] }) => values),
]);
const word = fc.oneof(
  fc.constantFrom(...words, '--', '-', '-C', '-Cx', '-vq', '--json', '--quiet=1', ''),
  fc.string(),
);

test('every command line is parsed or refused as bad usage, never a crash', () => {
  const property = fc.property(
    fc.constantFrom(...commands),
    fc.array(word, { maxLength: 8 }),
    (command, line) => {
      const { rest } = splitCommand([command.table.name, ...line]);
      try {
        command.parse(rest);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
    },
  );
  fc.assert(property, sample('every command line is understood or refused', { normal: 2000, soak: 200_000 }));
});
