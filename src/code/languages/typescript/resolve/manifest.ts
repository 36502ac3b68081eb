import { createRequire } from 'node:module';
import { documentReader } from '#code/resolve/document-reader.ts';
import { compileGlobs } from '#lib/glob.ts';
import { asObject, asString, asStrings, at } from '#lib/json-value.ts';
import { remembered } from '#lib/remembered.ts';

/** A large module, loaded only for workspaces that need it. */
function loadYaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml');
}

const longestJson = 4_000_000;
const longestYaml = 100_000;

/** Whether a folder, relative to the workspace root, is a member of the workspace. */
export type MemberTest = (directory: string) => boolean;

/** The parts of a package.json that matter for resolution. */
export interface Manifest {
  readonly name: string | undefined;
  /** Entry files of the package, in the order in which TypeScript and then bundlers look for them. */
  readonly entries: readonly string[];
  /** Unpublished source of the entry; several bundlers read it. */
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
    dependencies: dependenciesOf(manifest),
  };
}, longestJson);

function dependenciesOf(manifest: unknown): Map<string, string> {
  return new Map(
    ['optionalDependencies', 'peerDependencies', 'devDependencies', 'dependencies'].flatMap((kind) =>
      Object.entries(asObject(at(manifest, kind))).map(([name, range]) => [name, String(range)] as const),
    ),
  );
}

/** What of a package.json decides where imports lead: of a version range only its protocol does (`workspace:`, `npm:`, `link:`). */
export function manifestPart(text: string): unknown {
  const manifest = JSON.parse(text);
  const ranges = [...dependenciesOf(manifest)].map(
    ([name, range]) => `${name} ${/^[a-z]+:/.test(range) ? range : ''}`,
  );
  return [decidingKeys.map((key) => at(manifest, key) ?? null), ranges.sort()];
}

const decidingKeys = [
  'name',
  'types',
  'typings',
  'main',
  'module',
  'source',
  'tsconfig',
  'exports',
  'imports',
  'workspaces',
];

/** Walks the nodes: converting a document with nested collections as keys into values takes forever. */
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

/** Caches its answers: a document outlives one tree, and most trees ask for the same folders. */
function memberTest(patterns: readonly string[]): MemberTest {
  const matches = compileGlobs(patterns);
  const known = new Map<string, boolean>();
  return (directory) => remembered(known, directory, matches);
}
