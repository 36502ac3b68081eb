import type { Dialect } from '#code/languages/dialect.ts';
import { bindArguments, overrideMismatch } from '#code/languages/shared/bind-arguments.ts';
import { compiled } from '#code/languages/shared/compiled.ts';
import { declaredClass } from '#code/languages/shared/declared-class.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';
import { createPhpResolver } from './resolve-php.ts';

export const php: Dialect = {
  ...compiled,
  isTypeChecked: false,
  imports: {
    ...compiled.imports,
    specifiers: 'names',
    documents: /^composer\.json$/,
    steering: /(^|\/)composer\.json$/,
    isStandard: (name) => !name.includes('\\'),
    openResolver: createPhpResolver,
    packages: { isWhole: false, isApart: () => false, canClash: () => true },
  },
  names: { ...compiled.names, duplicates: (facts) => clashesByName(facts, (plain) => plain) },
  // Surplus arguments are ignored.
  calls: {
    ...compiled.calls,
    bind: (parameters, call) => ({ ...bindArguments(parameters, call), surplus: 0 }),
    overrideMismatch,
    resultType: declaredClass,
  },
  classes: { ...compiled.classes, constructorName: '__construct' },
};
