import { isJsonPath } from '#code/languages/json/index.ts';
import { isTomlPath } from '#code/languages/toml/index.ts';
import { isYamlPath } from '#code/languages/yaml/index.ts';

/** Values below this size are read whole; a larger file is data and no settings. */
const maxLength = 2 * 1024 * 1024;

/** The documents of a JSON, YAML or TOML file as values; null when it is none of these or cannot be read. */
export async function readData(path: string, text: string): Promise<readonly unknown[] | null> {
  if (text.length > maxLength) return null;
  try {
    if (isJsonPath(path)) return await readJson(text);
    if (isYamlPath(path)) return await readYaml(text);
    return isTomlPath(path) ? [(await import('smol-toml')).parse(text)] : null;
  } catch {
    // What a parser refuses, or gives up on, is no value.
    return null;
  }
}

async function readJson(text: string): Promise<unknown[] | null> {
  const { parse } = await import('jsonc-parser');
  const problems: unknown[] = [];
  const value: unknown = parse(text.replace(/^\ufeff/, ''), problems as never[], {
    allowTrailingComma: true,
  });
  return problems.length > 0 ? null : [value];
}

async function readYaml(text: string): Promise<unknown[] | null> {
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return null;
  return documents.map((document) => document.toJS() as unknown);
}
