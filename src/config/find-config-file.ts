import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { ConfigError } from '#schema/errors.ts';

type Path = readonly (string | number)[];

/** A project's settings as written, with their locations. */
export interface ConfigFile {
  /** For people: `joinery.jsonc`, `package.json#joinery`. */
  readonly name: string;
  readonly value: unknown;
  /** `joinery.json:3:5`: location of the value at a path, or of the nearest value around it. */
  locate(path: Path): string;
}

const ownFiles = ['joinery.json', 'joinery.jsonc'];
const packageFile = 'package.json';

/** Files that may contain settings, relative to the root of the project. */
export const configFileNames: readonly string[] = [...ownFiles, packageFile];

/** The config file of a project, read through `read`; null when there is none. Two files would hide each other, so they are an error. */
export function findConfigFile(read: (file: string) => string | null): ConfigFile | null {
  const own = ownFiles.flatMap((file) => {
    const text = read(file);
    return text === null ? [] : [parseConfig(file, text)];
  });
  const found = [...own, ...readFromPackage(read(packageFile))];
  if (found.length > 1) {
    throw new ConfigError({
      code: 'two-configs',
      message: `${found.map(({ name }) => name).join(' and ')} both hold settings`,
      hint: `keep one: move the settings into ${found[0]?.name} and delete the other`,
    });
  }
  return found[0] ?? null;
}

function readFromPackage(text: string | null): ConfigFile[] {
  // npm reports a broken package.json; Joinery does only if it may contain its settings.
  if (text === null || !text.includes('"joinery"')) return [];
  const file = parseConfig(packageFile, text);
  const inner = (file.value as Record<string, unknown> | null)?.joinery;
  if (typeof inner !== 'object' || inner === null) return [];
  return [
    { name: `${packageFile}#joinery`, value: inner, locate: (path) => file.locate(['joinery', ...path]) },
  ];
}

/** The text of a config file is not JSON with settings. */
export class UnparsableConfig extends ConfigError {
  readonly file: string;

  constructor(file: string, message: string) {
    super({
      code: 'unreadable-config',
      message,
      hint: `fix ${file}, or write a new one: joinery init --force`,
    });
    this.file = file;
  }
}

function parseConfig(file: string, text: string): ConfigFile {
  const errors: ParseError[] = [];
  if (isTooDeep(text)) {
    throw new UnparsableConfig(file, `${file}: nested more than ${deepest} levels deep`);
  }
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const at = (offset: number) => `${file}:${positionIn(text, offset)}`;
  const [error] = errors;
  if (error || !tree || tree.type !== 'object') {
    const reason = error ? printParseErrorCode(error.error) : 'an object is expected';
    throw new UnparsableConfig(file, `${at(error?.offset ?? tree?.offset ?? 0)}: not valid JSON (${reason})`);
  }
  return { name: file, value: getNodeValue(tree), locate: (path) => at(nodeAround(tree, path).offset) };
}

/** Settings have four levels; the parser is recursive. */
const deepest = 200;

/** Brackets in strings count too: real settings never have this many of one kind. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text.matchAll(/[[\]{}]/g)) {
    depth += '[{'.includes(character[0]) ? 1 : -1;
    if (depth > deepest) return true;
  }
  return false;
}

function nodeAround(tree: Node, path: Path): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    // Points to the key, not to its value: people look for the key.
    if (node) return node.parent?.type === 'property' ? node.parent : node;
  }
  return tree;
}

function positionIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
