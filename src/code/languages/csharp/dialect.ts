import type { Dialect } from '#code/languages/dialect.ts';
import { overrideMismatch } from '#code/languages/shared/bind-arguments.ts';
import { compiled } from '#code/languages/shared/compiled.ts';
import { declaredClass } from '#code/languages/shared/declared-class.ts';
import { clashesByName, sameSignature } from '#code/languages/shared/definitions-by-name.ts';
import { createCsharpResolver } from './resolve-csharp.ts';

const ofEveryObject = new Set('ToString Equals GetHashCode GetType MemberwiseClone'.split(' '));

export const csharp: Dialect = {
  ...compiled,
  imports: {
    ...compiled.imports,
    specifiers: 'names',
    isStandard: (name) => /^(?:System|Microsoft)\b/.test(name),
    openResolver: createCsharpResolver,
    packages: { isWhole: false, isApart: () => false, canClash: () => true },
  },
  names: { ...compiled.names, duplicates: (facts) => clashesByName(facts, sameSignature) },
  calls: { ...compiled.calls, overrideMismatch, overloads: true, resultType: declaredClass },
  classes: { ...compiled.classes, areExtensible: true, isGiven: (name) => ofEveryObject.has(name) },
};
