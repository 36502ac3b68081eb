import type { Definition, TypeName } from '#code/facts/facts.ts';
import type { Dialect } from '#code/languages/dialect.ts';
import { compiled } from '#code/languages/shared/compiled.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';
import { createGoResolver, moduleName } from './resolve-go.ts';

const systems =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips[a-z\d]*|ppc64[a-z\d]*|riscv64|s390x|wasm|unix)(?:_test)?\.go$/;

const isTest = (path: string) => path.endsWith('_test.go');

/** `User` for `*User`, `(*User, error)` and `(user *User, err error)`. */
function resultType({ kind, signature }: Definition): TypeName | null {
  const first = /^\(?([^,()]*)/.exec(signature?.returns ?? '')?.[1]?.trim() ?? '';
  const [, type = null] = /^(?:\w+\s+)?\*?([A-Za-z_][\w.]*)$/.exec(first) ?? [];
  // One letter is most likely a type parameter.
  return kind === 'function' && type !== null && type.length > 1 ? type : null;
}

export const go: Dialect = {
  ...compiled,
  imports: {
    ...compiled.imports,
    documents: /go\.mod/,
    decidingPart: (_, text) => moduleName(text),
    steering: /(^|\/)go\.(mod|work)$/,
    isStandard: (name) => !name.split('/')[0]?.includes('.'),
    openResolver: createGoResolver,
    packages: {
      // Test files see their package; other files do not see them.
      shows: (path, from) => !isTest(path) || isTest(from),
      canClash: (path, other) =>
        isTest(path) === isTest(other) && !systems.test(path) && !systems.test(other),
    },
  },
  calls: { ...compiled.calls, resultType },
  names: {
    ...compiled.names,
    duplicates: (facts) => clashesByName(facts, (plain) => plain),
    isPublic: (_, name) => /^\p{Lu}/u.test(name),
    hides: (before, after) => before !== after && before.toLowerCase() === after.toLowerCase(),
  },
};
