import { createRequire } from 'node:module';
import { documentReader } from '#code/resolve/document-reader.ts';
import { compileGlobs } from '#lib/glob.ts';
import { asObject, asString, asStrings, at } from '#lib/json-value.ts';
import { remembered } from '#lib/remembered.ts';

/** Large, and only for those whose workspace it describes. */
function loadYaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml');
}

const longestJson = 4_000_000;
const longestYaml = 100_000;

/** Says whether a folder, seen from the workspace root, is a member of the workspace. */
export type MemberTest = (directory: string) => boolean;

/** What a package.json says about resolution. */
export interface Manifest {
  readonly name: string | undefined;
  /** Files the package itself stands for, as TypeScript and then bundlers look for them. */
  readonly entries: readonly string[];
  /** Unpublished source of the entry, as several bundlers read it. */
  readonly source: string | undefined;
  /** The file that `extends` of a tsconfig finds under the name of the package. */
  readonly tsconfig: string | undefined;
  /** Undefined when the package does not restrict what can be imported. */
  readonly exports: unknown;
  readonly imports: unknown;
  readonly isMember: MemberTest | null;
  /** Version ranges of all kinds of dependencies, by name. */
  readonly dependencies: ReadonlyMap<string, string>;
}

export const readManifest = documentReader((text): Manifest => {
  const manifest = JSON.parse(text);
  const strings = (...keys: string[]) => keys.flatMap((key) => asString(at(manifest, key)) ?? []);
  const workspaces =
    asStrings(at(manifest, 'workspaces')) ?? asStrings(at(manifest, 'workspaces', 'packages'));
  return {
    name: asString(at(manifest, 'name')),
    entries: strings('types', 'typings', 'main', 'module'),
    source: asString(at(manifest, 'source')),
    tsconfig: asString(at(manifest, 'tsconfig')),
    exports: at(manifest, 'exports') ?? undefined,
    imports: at(manifest, 'imports') ?? undefined,
    isMember: workspaces === undefined ? null : memberTest(workspaces),
    dependencies: new Map(
      ['optionalDependencies', 'peerDependencies', 'devDependencies', 'dependencies'].flatMap((kind) =>
        Object.entries(asObject(at(manifest, kind))).map(([name, range]) => [name, String(range)] as const),
      ),
    ),
  };
}, longestJson);

/** Walks the nodes: turning a document into values takes forever when its keys are nested collections. */
export const readPnpmWorkspace = documentReader((text): MemberTest | null => {
  const { isMap, isScalar, isSeq, parseDocument } = loadYaml();
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0) throw new Error('not YAML');
  const packages = isMap(document.contents) ? document.contents.get('packages', true) : undefined;
  if (!isSeq(packages)) return null;
  return memberTest(packages.items.flatMap((item) => (isScalar(item) ? (asString(item.value) ?? []) : [])));
}, longestYaml);

export const readLerna = documentReader((text): MemberTest | null => {
  return memberTest(asStrings(at(JSON.parse(text), 'packages')) ?? ['packages/*']);
}, longestJson);

/** Remembers its answers: a document outlives one tree, and most trees ask for the same folders. */
function memberTest(patterns: readonly string[]): MemberTest {
  const matches = compileGlobs(patterns);
  const known = new Map<string, boolean>();
  return (directory) => remembered(known, directory, matches);
}
