import type { Operator } from '../operator.ts';
import { addRequiredParameter } from './add-required-parameter.ts';
import { dropExport } from './drop-export.ts';
import { duplicateDefinition } from './duplicate-definition.ts';
import { duplicateKey } from './duplicate-key.ts';
import { moveModule } from './move-module.ts';
import { newProviderMismatch } from './new-provider-mismatch.ts';
import { pathCollision } from './path-collision.ts';
import { removeFunction } from './remove-function.ts';
import { renameField } from './rename-field.ts';
import { renameOption } from './rename-option.ts';
import { renameSymbol } from './rename-symbol.ts';

/** One per way two sides can fail to fit; a new one is a file here and a line below. */
export const operators: readonly Operator[] = [
  removeFunction,
  renameSymbol,
  moveModule,
  addRequiredParameter,
  renameOption,
  renameField,
  dropExport,
  duplicateDefinition,
  newProviderMismatch,
  duplicateKey,
  pathCollision,
];
