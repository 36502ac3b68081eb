import type { Operator } from '../../operator.ts';
import type { PythonProject } from '../project.ts';
import { addAbstract } from './add-abstract.ts';
import { addRequiredParameter } from './add-parameter.ts';
import { changeResult } from './change-result.ts';
import { duplicateDefinition } from './duplicate-definition.ts';
import { makeAsync } from './make-async.ts';
import { moveModule } from './move-module.ts';
import { narrowAll } from './narrow-all.ts';
import { raiseInstead } from './raise-instead.ts';
import { removeFunction } from './remove.ts';
import { renameSymbol } from './rename.ts';
import { renameField } from './rename-field.ts';
import { renameHook } from './rename-hook.ts';
import { renameKeyword } from './rename-keyword.ts';
import { renameMethod } from './rename-method.ts';
import { renumberEnum } from './renumber-enum.ts';
import { swapParameters } from './swap-parameters.ts';

/** In the order of the rules; a new one is a file here and a line below. */
export const pythonOperators: readonly Operator<PythonProject>[] = [
  removeFunction,
  renameSymbol,
  renameMethod,
  moveModule,
  addRequiredParameter,
  renameKeyword,
  swapParameters,
  changeResult,
  makeAsync,
  raiseInstead,
  renameField,
  addAbstract,
  renameHook,
  narrowAll,
  renumberEnum,
  duplicateDefinition,
];
