import { parse as parseToml } from 'smol-toml';
import { documentReader } from '#code/resolve/document-reader.ts';
import { directoryOf } from '#code/resolve/repository-path.ts';
import { asObject, asString, asStrings, at } from '#lib/json-value.ts';

/** Where a pyproject.toml or setup.cfg places packages; folders are relative to the document. */
export interface PythonProject {
  /** Folders with top-level packages and modules. */
  readonly roots: readonly string[];
  /** Top-level packages in a folder of another name. */
  readonly packages: readonly PlacedPackage[];
  /** Distributions it depends on, by normalised name. */
  readonly dependencies: ReadonlySet<string>;
}

export interface PlacedPackage {
  readonly name: string;
  readonly directory: string;
}

const longest = 500_000;

function parsePyproject(text: string): PythonProject {
  const toml = parseToml(text);
  const tool = at(toml, 'tool');
  const wheel = at(tool, 'hatch', 'build', 'targets', 'wheel');
  const placed = [
    ...placements(at(tool, 'setuptools', 'package-dir')),
    ...[at(tool, 'hatch', 'build', 'sources'), at(wheel, 'sources')].flatMap(hatchSources),
  ];
  return {
    roots: unique([
      ...placed.filter(({ name }) => name === '').map(({ directory }) => directory),
      ...listed(at(tool, 'setuptools', 'packages', 'find', 'where')),
      ...asList(at(tool, 'poetry', 'packages')).map((entry) => asString(at(entry, 'from')) ?? '.'),
      ...listed(at(wheel, 'packages')).map(directoryOf),
      ...listed(at(tool, 'pdm', 'build', 'package-dir')),
      ...listed(at(tool, 'pdm', 'package-dir')),
      ...listed(at(tool, 'maturin', 'python-source')),
      ...listed(at(tool, 'uv', 'build-backend', 'module-root')),
      ...listed(at(tool, 'pytest', 'ini_options', 'pythonpath')),
    ]),
    packages: placed.filter(({ name }) => name !== ''),
    dependencies: new Set(
      [
        ...listed(at(toml, 'project', 'dependencies')),
        ...Object.values(asObject(at(toml, 'project', 'optional-dependencies'))).flatMap(listed),
        ...Object.values(asObject(at(toml, 'dependency-groups'))).flatMap(listed),
        ...Object.keys(asObject(at(tool, 'poetry', 'dependencies'))),
      ].map(distributionName),
    ),
  };
}

function parseSetupConfig(text: string): PythonProject {
  const value = iniReader(text);
  const placed = value('options', 'package_dir').map((line): PlacedPackage => {
    const [name = '', directory = ''] = line.split('=', 2);
    return { name: name.trim(), directory: directory.trim() };
  });
  return {
    roots: unique([
      ...placed.filter(({ name }) => name === '').map(({ directory }) => directory),
      ...value('options.packages.find', 'where'),
    ]),
    packages: placed.filter(({ name }) => name !== ''),
    dependencies: new Set(value('options', 'install_requires').map(distributionName)),
  };
}

export const readPyproject = documentReader(parsePyproject, longest);
export const readSetupConfig = documentReader(parseSetupConfig, longest);

/** What of a document decides where imports lead: versions of dependencies and settings of tools do not. */
export function projectPart(name: string, text: string): unknown {
  const { roots, packages, dependencies } =
    name === 'setup.cfg' ? parseSetupConfig(text) : parsePyproject(text);
  return [roots, packages, [...dependencies].sort()];
}

/** Names compare without case and with `-`, `_` and `.` alike; a requirement's version and markers are dropped. */
export function distributionName(requirement: string): string {
  const name = /^[A-Za-z0-9._-]*/.exec(requirement.trim())?.[0] ?? '';
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

function placements(table: unknown): PlacedPackage[] {
  return Object.entries(asObject(table)).flatMap(([name, directory]) =>
    typeof directory === 'string' ? [{ name, directory }] : [],
  );
}

/** Hatch lists prefixes to strip, or maps a folder to the name it is packaged under. */
function hatchSources(sources: unknown): PlacedPackage[] {
  if (Array.isArray(sources)) return listed(sources).map((directory) => ({ name: '', directory }));
  return placements(sources).map(({ name: directory, directory: name }) => ({
    name: name.replaceAll('/', '.'),
    directory,
  }));
}

function listed(value: unknown): string[] {
  return typeof value === 'string' ? [value] : (asStrings(value) ?? []);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Values of an INI file by section and key: the text after `=` and the indented lines below it. */
function iniReader(text: string): (section: string, key: string) => readonly string[] {
  const values = new Map<string, string[]>();
  let section = '';
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[([^\]]*)\]/.exec(line);
    const entry = /^([^\s=:#;[][^=:]*)[=:](.*)$/.exec(line);
    if (header !== null) section = header[1]?.trim() ?? '';
    else if (entry !== null) {
      lines = [entry[2]?.trim() ?? ''];
      values.set(`${section}\n${entry[1]?.trim()}`, lines);
    } else if (/^\s+[^\s#;]/.test(line)) lines.push(line.trim());
  }
  return (name, key) => values.get(`${name}\n${key}`)?.filter((line) => line !== '') ?? [];
}
