import type { DataFacts } from '#code/formats/shared/data-facts.ts';
import { type Anchored, readAnchors } from './anchors.ts';
import type { ChangedText } from './changed-text.ts';
import { type CodeNews, readCode } from './code-pieces.ts';
import { type KeyNews, readKeys } from './config-keys.ts';
import { type ConstantNews, readConstants } from './constants.ts';
import { type EnvironmentNews, readEnvironment } from './environment.ts';
import { type DependencyNews, readDependencyNews } from './manifests.ts';
import { type NameChanges, readNames } from './name-changes.ts';
import { readThings, type ThingNews } from './named-things.ts';
import { type PackageImport, readPackageImports } from './new-imports.ts';
import { type Registrations, readRegistrations } from './registrations.ts';
import { type Resource, readResources } from './resources.ts';
import { type RoleValue, readRoleValues } from './role-values.ts';
import { readStrictness, type StrictnessNews } from './strictness.ts';
import { readTestNews, type TestNews } from './test-news.ts';

/** What rules about texts and whole branches need to know about one changed file: plain values, cached by its versions. */
export interface FileNews {
  readonly names?: NameChanges;
  readonly things?: ThingNews;
  readonly roles?: readonly RoleValue[];
  readonly code?: CodeNews;
  readonly constants?: readonly ConstantNews[];
  readonly anchors?: readonly Anchored[];
  readonly tests?: TestNews;
  readonly registrations?: Registrations;
  readonly dependencies?: DependencyNews;
  readonly imports?: readonly PackageImport[];
  readonly environment?: EnvironmentNews;
  readonly keys?: KeyNews;
  readonly strictness?: StrictnessNews;
  readonly resources?: readonly Resource[];
  readonly data?: DataNews;
}

/** The shared data of a file, before and after; a version without any is left out. */
export interface DataNews {
  readonly before?: DataFacts;
  readonly after?: DataFacts;
}

export type NewsKind = keyof FileNews;

type Readers = {
  readonly [Kind in NewsKind]-?: (
    file: ChangedText,
    data: () => Promise<DataNews | undefined>,
  ) => FileNews[Kind] | undefined | Promise<FileNews[Kind] | undefined>;
};

const readers: Readers = {
  names: readNames,
  things: readThings,
  roles: readRoleValues,
  code: readCode,
  constants: readConstants,
  anchors: readAnchors,
  tests: readTestNews,
  registrations: readRegistrations,
  dependencies: readDependencyNews,
  imports: readPackageImports,
  environment: readEnvironment,
  keys: readKeys,
  strictness: readStrictness,
  resources: readResources,
  data: (_, data) => data(),
};

export const allKinds = Object.keys(readers) as NewsKind[];

/** News of one changed file of these kinds. Empty parts are left out. */
export async function readFile(
  file: ChangedText,
  kinds: readonly NewsKind[],
  data: () => Promise<DataNews | undefined>,
): Promise<FileNews> {
  const found: [NewsKind, FileNews[NewsKind]][] = [];
  for (const kind of kinds) {
    const value = await readers[kind](file, data);
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) found.push([kind, value]);
  }
  return Object.fromEntries(found);
}
