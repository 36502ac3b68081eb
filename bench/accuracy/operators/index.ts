import type { Operator } from '../operator.ts';
import { addCase } from './add-case.ts';
import { addMember } from './add-member.ts';
import { addRequiredParameter } from './add-required-parameter.ts';
import { addTypeParameter } from './add-type-parameter.ts';
import { closeCycle } from './close-cycle.ts';
import { dropExport } from './drop-export.ts';
import { duplicateDefinition } from './duplicate-definition.ts';
import { duplicateKey } from './duplicate-key.ts';
import { makeAsync } from './make-async.ts';
import { moveModule } from './move-module.ts';
import { newProviderMismatch } from './new-provider-mismatch.ts';
import { pathCollision } from './path-collision.ts';
import { removeFunction } from './remove-function.ts';
import { renameField } from './rename-field.ts';
import { renameMethod } from './rename-method.ts';
import { renameOption } from './rename-option.ts';
import { renameSymbol } from './rename-symbol.ts';

import { renumberEnum } from './renumber-enum.ts';
import { swapParameters } from './swap-parameters.ts';
import { appendBoth, commentOut, moveEdited, removeEdited, sameLine } from './text-conflicts.ts';
import { throwInstead } from './throw-instead.ts';
import { twoStars } from './two-stars.ts';
import { widenReturn } from './widen-return.ts';

/** One per way two sides can fail to fit, in the order of the rules; a new one is a file here and a line below. */
export const operators: readonly Operator[] = [
  sameLine,
  appendBoth,
  commentOut,
  removeEdited,
  moveEdited,
  duplicateKey,
  pathCollision,
  removeFunction,
  renameSymbol,
  moveModule,
  addRequiredParameter,
  renameOption,
  swapParameters,
  widenReturn,
  makeAsync,
  throwInstead,
  renameField,
  addMember,
  renameMethod,
  dropExport,
  addCase,
  renumberEnum,
  addTypeParameter,
  duplicateDefinition,
  twoStars,
  closeCycle,
  newProviderMismatch,
];

/** Rules without an operator, and why. */
export const notSeeded: readonly { readonly rule: string; readonly reason: string }[] = [
  { rule: 'S21', reason: 'a problem of one branch alone; there is no second side to seed' },
  { rule: 'V01', reason: 'what the type checker says, which is the oracle here' },
  {
    rule: 'V02',
    reason: 'what Python checkers say; the Python side of the other rules is in accuracy-python',
  },
];
