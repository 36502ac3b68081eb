import type { Dialect } from '#code/languages/dialect.ts';
import { overrideMismatch } from '#code/languages/shared/bind-arguments.ts';
import { compiled } from '#code/languages/shared/compiled.ts';
import { declaredClass } from '#code/languages/shared/declared-class.ts';
import { clashesByName, sameSignature } from '#code/languages/shared/definitions-by-name.ts';
import { createJavaResolver } from './resolve-java.ts';

const ofEveryObject = new Set(
  'toString equals hashCode getClass notify notifyAll wait clone length'.split(' '),
);
const harmless = new Set(['Deprecated', 'SuppressWarnings', 'FunctionalInterface', 'SafeVarargs']);

export const java: Dialect = {
  ...compiled,
  imports: {
    ...compiled.imports,
    specifiers: 'names',
    isStandard: (name) => /^(?:java|javax|jdk)\b/.test(name),
    openResolver: createJavaResolver,
    packages: { isWhole: false, isApart: () => false, canClash: () => true },
  },
  names: {
    ...compiled.names,
    duplicates: (facts) => clashesByName(facts, sameSignature),
    isPublic: ({ exports }, name) => exports.some((each) => each.name === name),
  },
  calls: { ...compiled.calls, overrideMismatch, overloads: true, resultType: declaredClass },
  classes: {
    ...compiled.classes,
    keepsMembers: (_, decorator) => harmless.has(decorator),
    isGiven: (name) => ofEveryObject.has(name),
  },
};
