const placeholder = /\{\{\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\.\d+)*)\s*\}\}/g;

/** Replaces `{{name}}` and `{{name.field}}` by values of the context. A missing value leaves the placeholder visible. */
export function fillIn(text: string, context: Readonly<Record<string, unknown>>): string {
  return text.replace(placeholder, (whole, path: string) =>
    path.startsWith('wr.') ? whole : valueAt(path, context),
  );
}

/** The variables a text reads: the first part of every path. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(placeholder)]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('wr.'))
    .map((path) => path.split('.')[0] ?? '');
}

const longestPreview = 60;

function valueAt(path: string, context: Readonly<Record<string, unknown>>): string {
  const parts = path.split('.');
  let value: unknown = context;
  for (const [at, part] of parts.entries()) {
    if (typeof value !== 'object' || value === null) {
      const owner = parts.slice(0, at).join('.');
      return value === undefined || value === null
        ? `[unset: ${path}]`
        : `[unset: ${path} -- '${owner}' is ${typeof value} (${JSON.stringify(value).slice(0, longestPreview)}), not object]`;
    }
    value = Object.hasOwn(value, part) ? (value as Record<string, unknown>)[part] : undefined;
  }
  if (value === undefined || value === null) return `[unset: ${path}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
