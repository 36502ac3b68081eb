import type { Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { Dialect, Lookup, MadeConstructor } from '#code/languages/dialect.ts';
import { overrideMismatch } from '#code/languages/shared/bind-arguments.ts';
import { compiled } from '#code/languages/shared/compiled.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';
import { parameterOf } from '#code/languages/tree-sitter/reading.ts';
import type { DefinitionEntity } from '#code/link/members.ts';
import { createGoResolver, moduleName, testPackage } from './resolve-go.ts';
import { resultParts, resultType } from './results.ts';

const systems =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips[a-z\d]*|ppc64[a-z\d]*|riscv64|s390x|wasm|unix)(?:_test)?\.go$/;

const isTest = (path: string) => path.endsWith('_test.go');
const isTestPackage = ({ imports }: Facts) => imports.some(({ from }) => from === testPackage);

/** `Point{1, 2}` takes every field of the struct, in their order. */
function fieldsInOrder(entity: DefinitionEntity, { facts }: Lookup): MadeConstructor | 'unknown' {
  const [struct, ...others] = entity.definitions;
  const read = facts(entity.path);
  if (struct?.kind !== 'class' || others.length > 0 || struct.conditional || !read) return 'unknown';
  const owner = symbolPath(struct);
  const fields = read.definitions.filter(({ container, kind }) => container === owner && kind === 'field');
  return {
    signature: {
      parameters: fields.map(({ name }) => parameterOf(name, { kind: 'positional-only', required: true })),
      returns: null,
      generator: false,
      typeParameters: { min: 0, max: 0 },
    },
    exact: entity.exact,
  };
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
      isWhole: true,
      isApart: isTest,
      canClash: (path, other, facts, otherFacts) =>
        isTest(path) === isTest(other) &&
        isTestPackage(facts) === isTestPackage(otherFacts) &&
        !systems.test(path) &&
        !systems.test(other),
    },
  },
  calls: { ...compiled.calls, overrideMismatch, resultType, resultParts },
  classes: {
    ...compiled.classes,
    replacesInherited: false,
    interfacesAreWhole: true,
    madeConstructor: fieldsInOrder,
  },
  names: {
    ...compiled.names,
    duplicates: (facts) => clashesByName(facts, (plain) => plain),
    isPublic: (_, name) => /^\p{Lu}/u.test(name),
    hides: (before, after) =>
      /^\p{Lu}/u.test(before) && !/^\p{Lu}/u.test(after) && before.toLowerCase() === after.toLowerCase(),
  },
};
