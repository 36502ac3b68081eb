import type { RuleId } from '#schema/rules.ts';
import { routeCollision } from './c01-route-collision.ts';
import { routeShadowed } from './c02-route-shadowed.ts';
import { callOfChangedRoute } from './c03-call-of-changed-route.ts';
import { openapiDivergence } from './c04-openapi-divergence.ts';
import { graphqlConflict } from './c05-graphql-conflict.ts';
import { protobufTagReused } from './c06-protobuf-tag-reused.ts';
import { tableRebuilt } from './c07-table-rebuilt.ts';
import { columnGone } from './c08-column-gone.ts';
import { columnDefinedTwice } from './c09-column-defined-twice.ts';
import { divergentShapes } from './c10-divergent-shapes.ts';
import { eventPayloadMismatch } from './c11-event-payload-mismatch.ts';
import { formatVersionClash } from './c12-format-version-clash.ts';
import { duplicateImplementation } from './d01-duplicate-implementation.ts';
import { nearDuplicate } from './d02-near-duplicate.ts';
import { sameNameDifferentCode } from './d03-same-name-different-code.ts';
import { copyOfExtractedCode } from './d04-copy-of-extracted-code.ts';
import { oneConceptTwoNames } from './d05-one-concept-two-names.ts';
import { divergentConstants } from './d06-divergent-constants.ts';
import { featureTwice } from './d07-feature-twice.ts';
import { hotSymbol } from './g01-hot-symbol.ts';
import { sharedBlastRadius } from './g02-shared-blast-radius.ts';
import { clusterIntrusion } from './g03-cluster-intrusion.ts';
import { oldRegistration } from './k01a-old-registration.ts';
import { missingConnection } from './k01b-missing-connection.ts';
import { testNameCollision } from './k02-test-name-collision.ts';
import { snapshotOfChangedCode } from './k03-snapshot-of-changed-code.ts';
import { testDroppedWhileCodeChanges } from './k04-test-dropped-while-code-changes.ts';
import { migrationSlotCollision } from './m01-migration-slot-collision.ts';
import { orderDependentMigrations } from './m02-order-dependent-migrations.ts';
import { createdTwice } from './m03-created-twice.ts';
import { dependencyVersionConflict } from './m04-dependency-version-conflict.ts';
import { lockOutOfSync } from './m05-lock-out-of-sync.ts';
import { dependencyRemoved } from './m06-dependency-removed.ts';
import { undeclaredVariable } from './m07-undeclared-variable.ts';
import { configKeyDrift } from './m08-config-key-drift.ts';
import { stricterOption } from './m09-stricter-option.ts';
import { resourceCollision } from './m10-resource-collision.ts';
import { extinctName } from './n01-extinct-name.ts';
import { sameValueTwice } from './n02-same-value-twice.ts';
import type { Rule } from './rule.ts';
import { useOfRemovedSymbol } from './s01-use-of-removed-symbol.ts';
import { useOfRenamedSymbol } from './s02-use-of-renamed-symbol.ts';
import { importOfMovedModule } from './s03-import-of-moved-module.ts';
import { arityMismatch } from './s04-arity-mismatch.ts';
import { keywordParameterRenamed } from './s05-keyword-parameter-renamed.ts';
import { parameterOrderSwapped } from './s06-parameter-order-swapped.ts';
import { returnContractChanged } from './s07-return-contract-changed.ts';
import { syncAsyncFlip } from './s08-sync-async-flip.ts';
import { failureContractChanged } from './s09-failure-contract-changed.ts';
import { fieldRemovedOrRenamed } from './s10-field-removed-or-renamed.ts';
import { memberUnimplemented } from './s11-member-unimplemented.ts';
import { overrideOfChangedMethod } from './s12-override-of-changed-method.ts';
import { exportNarrowed } from './s13-export-narrowed.ts';
import { uncoveredCase } from './s14-uncovered-case.ts';
import { enumRenumbered } from './s15-enum-renumbered.ts';
import { typeParameterArity } from './s16-type-parameter-arity.ts';
import { duplicateDefinition } from './s17-duplicate-definition.ts';
import { ambiguousName } from './s18-ambiguous-name.ts';
import { importCycle } from './s19-import-cycle.ts';
import { newProviderMismatch } from './s20-new-provider-mismatch.ts';
import { unresolvedImport } from './s21-unresolved-import.ts';
import { textualConflict } from './t01-textual-conflict.ts';
import { autoResolvableConflict } from './t02-auto-resolvable-conflict.ts';
import { mergedFileDoesNotParse } from './t03-merged-file-does-not-parse.ts';
import { modifyVsDelete } from './t04-modify-vs-delete.ts';
import { movedCodeLosesEdit } from './t05-moved-code-loses-edit.ts';
import { duplicateKeyInDataFile } from './t06-duplicate-key-in-data-file.ts';
import { pathCollision } from './t07-path-collision.ts';
import { typescriptDiagnostic } from './v01-typescript-diagnostic.ts';
import { pythonDiagnostic } from './v02-python-diagnostic.ts';
import { intentTestFails } from './v03-intent-test-fails.ts';
import { buildFails } from './v04-build-fails.ts';
import { compilerDiagnostic } from './v05-compiler-diagnostic.ts';

/** Every rule, in the order of the ids. To add one: docs/adding-a-rule.md. */
export const registry = {
  T01: textualConflict,
  T02: autoResolvableConflict,
  T03: mergedFileDoesNotParse,
  T04: modifyVsDelete,
  T05: movedCodeLosesEdit,
  T06: duplicateKeyInDataFile,
  T07: pathCollision,
  S01: useOfRemovedSymbol,
  S02: useOfRenamedSymbol,
  S03: importOfMovedModule,
  S04: arityMismatch,
  S05: keywordParameterRenamed,
  S06: parameterOrderSwapped,
  S07: returnContractChanged,
  S08: syncAsyncFlip,
  S09: failureContractChanged,
  S10: fieldRemovedOrRenamed,
  S11: memberUnimplemented,
  S12: overrideOfChangedMethod,
  S13: exportNarrowed,
  S14: uncoveredCase,
  S15: enumRenumbered,
  S16: typeParameterArity,
  S17: duplicateDefinition,
  S18: ambiguousName,
  S19: importCycle,
  S20: newProviderMismatch,
  S21: unresolvedImport,
  C01: routeCollision,
  C02: routeShadowed,
  C03: callOfChangedRoute,
  C04: openapiDivergence,
  C05: graphqlConflict,
  C06: protobufTagReused,
  C07: tableRebuilt,
  C08: columnGone,
  C09: columnDefinedTwice,
  C10: divergentShapes,
  C11: eventPayloadMismatch,
  C12: formatVersionClash,
  M01: migrationSlotCollision,
  M02: orderDependentMigrations,
  M03: createdTwice,
  N01: extinctName,
  N02: sameValueTwice,
  D01: duplicateImplementation,
  D02: nearDuplicate,
  D03: sameNameDifferentCode,
  D04: copyOfExtractedCode,
  D05: oneConceptTwoNames,
  D06: divergentConstants,
  D07: featureTwice,
  K01a: oldRegistration,
  K01b: missingConnection,
  K02: testNameCollision,
  K03: snapshotOfChangedCode,
  K04: testDroppedWhileCodeChanges,
  M04: dependencyVersionConflict,
  M05: lockOutOfSync,
  M06: dependencyRemoved,
  M07: undeclaredVariable,
  M08: configKeyDrift,
  M09: stricterOption,
  M10: resourceCollision,
  G01: hotSymbol,
  G02: sharedBlastRadius,
  G03: clusterIntrusion,
  V01: typescriptDiagnostic,
  V02: pythonDiagnostic,
  V03: intentTestFails,
  V04: buildFails,
  V05: compilerDiagnostic,
} satisfies { readonly [Id in RuleId]: Rule & { readonly id: Id } };

/** The rule of a finding; undefined for a rule that this version does not know. */
export function ruleOf(id: string): Rule | undefined {
  return Object.values<Rule>(registry).find((rule) => rule.id === id);
}
