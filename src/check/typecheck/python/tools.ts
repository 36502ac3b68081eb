import { devNull } from 'node:os';
import { type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse } from 'smol-toml';
import type { Diagnostic } from '#check/typecheck/diagnostics/diagnostic-keys.ts';
import { type MypySettings, mypyFromIni, mypyFromToml } from './mypy-settings.ts';
import { pyrightSettings } from './pyright-settings.ts';
import type { IniSection } from './read-ini.ts';

const python = /(\.pyi?|(^|\/)py\.typed)$/;
export const isPython = (path: string): boolean => python.test(path);

type Settings = Readonly<Record<string, unknown>>;

/** A type checker that a project has configured. */
export interface PythonTool {
  readonly name: 'mypy' | 'pyright';
  /** File of the project that configures it. */
  readonly project: string;
  /** Its settings as Joinery writes them: only those known to be harmless. */
  readonly config: { readonly file: string; readonly text: string };
  args(config: string, python: string): string[];
  read(stdout: string): Diagnostic[] | null;
}

/** A type checker whose settings cannot be read. */
interface UnreadableTool {
  readonly name: PythonTool['name'];
  readonly unreadable: string;
}

type Configured = PythonTool | UnreadableTool;
type ReadFile = (path: string) => Promise<string | null>;
type ReadIni = (text: string) => Promise<readonly IniSection[] | string>;

/** Type checkers whose settings are at the root of the repository. `read` gives the text of a file there. */
export async function configuredTools(read: ReadFile, readIni: ReadIni): Promise<Configured[]> {
  const found = [await configuredMypy(read, readIni), await configuredPyright(read)];
  return found.filter((each) => each !== null);
}

/** The file that mypy would use: the first of these with settings for it. */
async function configuredMypy(read: ReadFile, readIni: ReadIni): Promise<Configured | null> {
  for (const file of ['mypy.ini', '.mypy.ini', 'pyproject.toml', 'setup.cfg']) {
    const text = await read(file);
    if (text === null || !text.includes('mypy')) continue;
    if (file === 'pyproject.toml') {
      const table = toolTable(text, 'mypy');
      if (typeof table === 'string') return { name: 'mypy', unreadable: `${file} cannot be read: ${table}` };
      if (table) return mypy(file, mypyFromToml(table));
      continue;
    }
    const sections = await readIni(text);
    if (typeof sections === 'string')
      return { name: 'mypy', unreadable: `${file} cannot be read: ${sections}` };
    if (sections.some(([name]) => name === 'mypy')) return mypy(file, mypyFromIni(sections));
  }
  return null;
}

async function configuredPyright(read: ReadFile): Promise<Configured | null> {
  const json = await read('pyrightconfig.json');
  if (json === null) {
    const text = (await read('pyproject.toml')) ?? '';
    const table = text.includes('pyright') ? toolTable(text, 'pyright') : null;
    if (typeof table === 'string')
      return { name: 'pyright', unreadable: `pyproject.toml cannot be read: ${table}` };
    return table ? pyright('pyproject.toml', pyrightSettings(table)) : null;
  }
  const errors: ParseError[] = [];
  const value: unknown = parseJson(json, errors, { allowTrailingComma: true });
  return errors.length === 0 && isTable(value)
    ? pyright('pyrightconfig.json', pyrightSettings(value))
    : { name: 'pyright', unreadable: 'pyrightconfig.json cannot be read' };
}

/** The table of a tool in pyproject.toml; an error text when the file cannot be read. */
function toolTable(text: string, name: 'mypy' | 'pyright'): Settings | string | null {
  try {
    const { tool } = parse(text);
    const table = isTable(tool) ? tool[name] : null;
    return isTable(table) ? table : null;
  } catch (error) {
    return String((error as Error).message).split('\n')[0] ?? '';
  }
}

function isTable(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mypy(project: string, { namesFiles, ...config }: MypySettings): PythonTool {
  return {
    name: 'mypy',
    project,
    config,
    args: (file, python) => [
      // mypy's cache compares sizes and whole seconds, and Joinery writes one tree over the other: without a cache no result is stale.
      ...['--config-file', file, '--python-executable', python, '--cache-dir', devNull],
      ...['--show-column-numbers', '--show-error-codes', '--no-error-summary', '--no-color-output'],
      ...['--no-pretty', '--hide-error-context', '--no-warn-unused-configs'],
      ...(namesFiles ? [] : ['.']),
    ],
    read(stdout) {
      const found = [
        ...stdout.matchAll(/^(.+?):(\d+):(?:(\d+):)? (error|note): (.*?)(?: {2}\[([\w-]+)\])?$/gm),
      ];
      return found.flatMap(([, file = '', line, column = '1', severity, message = '', code = 'error']) =>
        severity === 'error' ? [diagnostic(file, Number(line), Number(column), `mypy:${code}`, message)] : [],
      );
    },
  };
}

interface PyrightOutput {
  readonly generalDiagnostics: readonly {
    readonly file: string;
    readonly severity: string;
    readonly message: string;
    readonly rule?: string;
    readonly range?: { readonly start: { readonly line: number; readonly character: number } };
  }[];
}

function pyright(project: string, text: string): PythonTool {
  return {
    name: 'pyright',
    project,
    config: { file: 'pyrightconfig.json', text },
    args: (file, python) => ['--outputjson', '--pythonpath', python, '-p', file],
    read(stdout) {
      try {
        const { generalDiagnostics } = JSON.parse(stdout) as PyrightOutput;
        return generalDiagnostics
          .filter(({ severity }) => severity === 'error')
          .map(({ file, message, rule = 'error', range }) => {
            const start = range?.start ?? { line: 0, character: 0 };
            return diagnostic(file, start.line + 1, start.character + 1, `pyright:${rule}`, message);
          });
      } catch {
        return null;
      }
    },
  };
}

function diagnostic(file: string, line: number, column: number, code: string, message: string): Diagnostic {
  return { file: file.replaceAll('\\', '/'), line, column, endLine: line, code, message, text: '' };
}
