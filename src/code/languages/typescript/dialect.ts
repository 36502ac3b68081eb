import { isBuiltin } from 'node:module';
import type { Definition, TypeName } from '#code/facts/facts.ts';
import type { ClassRules, Dialect, ImportRules, NameRules } from '#code/languages/dialect.ts';
import { cautious } from '#code/languages/shared/cautious.ts';
import { bindLeniently, bindPositional, surplusOfRequired } from './bind-arguments.ts';
import { duplicatesInScript } from './duplicates.ts';
import { exportsInLine, hasHiddenExports } from './line-names.ts';
import { manifestPart } from './resolve/manifest.ts';
import { createTypeScriptResolver, furtherDocuments } from './resolve/resolve-typescript.ts';
import { readType, splitType } from './type-text.ts';

const imports: ImportRules = {
  documents: /^(?:package\.json|[jt]sconfig[^/]*\.json|pnpm-workspace\.yaml|lerna\.json)$/,
  decidingPart: (name, text) => (name === 'package.json' ? manifestPart(text) : text),
  steering: /\.(json|ya?ml)$/,
  markers: null,
  indexFiles: ['index.ts', 'index.tsx', 'index.mts', 'index.js'],
  readNamesAtLoad: false,
  specifiers: 'paths',
  submodulePaths: () => [],
  meansInstalled: () => false,
  isStandard: isBuiltin,
  packagesBringNames: true,
  further: furtherDocuments,
  openResolver: createTypeScriptResolver,
  packages: null,
};

const names: NameRules = {
  duplicates: duplicatesInScript,
  isPublic: () => true,
  isGivenToModules: () => false,
  lastStarWins: false,
  starBrings: () => true,
  inLine: exportsInLine,
  areHidden: hasHiddenExports,
  seesPrivate: cautious.names.seesPrivate,
  hides: cautious.names.hides,
};

/** Every value has the first ones, every class or function also the second ones. */
const valueMembers = new Set(Object.getOwnPropertyNames(Object.prototype));
const functionMembers = new Set([...Object.getOwnPropertyNames(Function.prototype), 'prototype']);

const classes: ClassRules = {
  instantiatedBy: 'new',
  constructorName: 'constructor',
  madeConstructor: () => null,
  methodsTakeInstance: false,
  fieldsKeepTheirType: 'unknown',
  interfacesAreWhole: false,
  replacesInherited: true,
  implementsInPlace: false,
  fieldsBesideMethods: false,
  refusesAbstractInstances: false,
  abstractNeedsBase: false,
  sharesMembers: false,
  mayBeReplaced: () => false,
  keepsMembers: () => false,
  returnsItsClass: () => false,
  isGiven: (name, access) => valueMembers.has(name) || (access === 'static' && functionMembers.has(name)),
  standIn: () => null,
  outside: () => undefined,
};

const promised = /^Promise\s*<(.*)>$/;
const nothing = /^(?:null|undefined)$/;

/** A type parameter would be read as a name of the module: `genericResult` finds the type where there may be one. */
function resultType({ kind, signature, type, async }: Definition, isAwaited: boolean): TypeName | null {
  const isFunction = kind === 'function' || kind === 'method';
  if (!signature || kind === 'class') return null;
  if (signature.returns === null) return isFunction && async === isAwaited ? type : null;
  const parts = splitType(signature.returns, '|') ?? [];
  if (!isAwaited && parts.some((part) => promised.test(part))) return null;
  if (isFunction && type !== null) return type;
  if (signature.typeParameters.max > 0) return null;
  // `User | undefined | Promise<User | undefined>`
  const given = parts.flatMap((part) => splitType(promised.exec(part)?.[1] ?? part, '|') ?? [part]);
  const written = [...new Set(given)].filter((part) => part !== '' && !nothing.test(part)).join('|');
  const isFollowed = /^[A-Za-z_$][\w$.]*$/.test(written) || readType(written).is !== 'other';
  return isFollowed ? written : null;
}

export const typescript: Dialect = {
  holds: 'code',
  isTypeChecked: true,
  readType,
  declaresInComments: false,
  coversAllCases: false,
  imports,
  names,
  calls: {
    bind: bindPositional,
    isEnforced: true,
    overrideMismatch: surplusOfRequired,
    awaitsOnlyAsynchronous: false,
    mayKeepSignature: () => false,
    resultType,
    resultParts: () => null,
  },
  // For the compiler a decorated class has its written type.
  classes: { ...classes, keepsMembers: () => true, fieldsKeepTheirType: 'unless-narrowed' },
};

export const javascript: Dialect = {
  ...typescript,
  isTypeChecked: false,
  declaresInComments: true,
  calls: { ...typescript.calls, bind: bindLeniently, isEnforced: false, overrideMismatch: () => null },
  classes,
};
