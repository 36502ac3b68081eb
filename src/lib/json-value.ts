/** Narrows parsed JSON, YAML and TOML, which may contain anything. */

export type JsonObject = { readonly [key: string]: unknown };

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asStrings(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined;
}

/** The value at a path of keys, own properties only. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((object, key) => {
    const fields = asObject(object);
    return Object.hasOwn(fields, key) ? fields[key] : undefined;
  }, value);
}
