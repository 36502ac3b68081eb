import type { Definition, TypeName } from '#code/facts/facts.ts';
import type { Dialect } from '#code/languages/dialect.ts';
import { compiled } from '#code/languages/shared/compiled.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';
import { createGoResolver, moduleName } from './resolve-go.ts';

const systems =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips[a-z\d]*|ppc64[a-z\d]*|riscv64|s390x|wasm|unix)(?:_test)?\.go$/;

const isTest = (path: string) => path.endsWith('_test.go');

/** `User` for `*User`, `(*User, error)`, `(user *User, err error)` and `(first, last *User)`. */
function resultType({ kind, signature }: Definition): TypeName | null {
  // What a generic function returns may be a type parameter.
  if (kind !== 'function' || !signature || signature.typeParameters.max > 0) return null;
  const results = (signature.returns ?? '').replace(/^\(|\)$/g, '').split(',');
  const named = results.map((result) => /^\s*(?!chan\b)\w+\s+(.+)$/s.exec(result)?.[1]);
  const first = (named.find((type) => type !== undefined) ?? results[0] ?? '').trim();
  return /^\*?([A-Za-z_][\w.]*)$/.exec(first)?.[1] ?? null;
}

export const go: Dialect = {
  ...compiled,
  imports: {
    ...compiled.imports,
    documents: /^go\.mod$/,
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
