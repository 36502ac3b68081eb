import type { Dialect } from '#code/languages/dialect.ts';
import { bindArguments } from './bind-arguments.ts';
import { cautious } from './cautious.ts';

/** Common rules of languages with static types and a compiler: names, members and arguments must fit. */
export const compiled: Dialect = {
  ...cautious,
  isTypeChecked: true,
  declaresInComments: false,
  calls: { ...cautious.calls, bind: bindArguments, isEnforced: true },
  classes: {
    ...cautious.classes,
    madeConstructor: () => null,
    fieldsKeepTheirType: 'always',
    mayBeReplaced: () => false,
    keepsMembers: () => true,
    isGiven: () => false,
  },
};
