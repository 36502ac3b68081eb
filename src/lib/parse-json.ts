import { readFileSync } from 'node:fs';

/** The value of a JSON text, with or without a byte order mark; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** The value in a JSON file; undefined when the file is missing, unreadable or not JSON. */
export function parseJsonFile(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
