import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { factsOfText } from '#code/extraction/read-apart.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { parseYaml } from '#lib/yaml.ts';

/** Why a file lacks what a criterion asks for; null if it has it. `name`: a symbol (`User.email`) or a key (`paths./users`). */
export async function missingFrom(path: string, text: string, name: string | null): Promise<string | null> {
  if (/\.(jsonc?|ya?ml|toml)$/.test(path)) return missingKey(path, text, name);
  const facts = await factsOfText(path, text);
  if (!facts) return missingWords(path, text, name);
  const { syntaxError, definitions, exports } = facts;
  if (syntaxError) return `${path}:${syntaxError.line}: ${syntaxError.message}`;
  const isThere =
    name === null ||
    definitions.some((definition) => symbolPath(definition) === name) ||
    exports.some((entry) => entry.name === name);
  return isThere ? null : `${path} defines no ${name}`;
}

function missingKey(path: string, text: string, name: string | null): string | null {
  let value: unknown;
  try {
    value = /\.ya?ml$/.test(path)
      ? parseYaml(text)
      : path.endsWith('.toml')
        ? parseToml(text)
        : readJson(text);
  } catch (error) {
    return `${path} cannot be read: ${(error as Error).message.split('\n')[0]}`;
  }
  return name === null || hasKey(value, name.split('.')) ? null : `${path} has no ${name}`;
}

function readJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error('it is not valid JSON');
  return value;
}

/** Keys may contain dots themselves: several parts are tried as one key. */
function hasKey(value: unknown, parts: readonly string[]): boolean {
  if (parts.length === 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  return parts.some((_, index) => {
    const key = parts.slice(0, index + 1).join('.');
    return (
      Object.hasOwn(value, key) && hasKey((value as Record<string, unknown>)[key], parts.slice(index + 1))
    );
  });
}

/** Schemas in languages that Joinery does not parse here: SQL, GraphQL, Prisma, protocol buffers. */
function missingWords(path: string, text: string, name: string | null): string | null {
  const words = new Set(text.match(/\w+/g));
  const absent = (name?.match(/\w+/g) ?? []).find((word) => !words.has(word));
  return absent === undefined ? null : `${path} does not mention ${absent}`;
}
