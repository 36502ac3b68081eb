/** One spelling for all frameworks: `/users/:id`, `/users/{id}`, `/users/<int:id>`, `/users/[id]` are `/users/:`. */
export function plainPath(written: string): string {
  const [path = ''] = written.replace(/^https?:\/\/[^/]+/, '').split(/[?#]/);
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (/^(?::|\{|<|\[|\$\{)/.test(part) || part.includes(parameter) ? ':' : part));
  return `/${parts.join('/')}`;
}

/** Placeholder for a value in a template. */
export const parameter = '\u0001';

export function joinPaths(prefix: string, path: string): string {
  return plainPath(`${prefix}/${path}`);
}

/**
 * Constraints of a path's parameters, and a slash at its end where that makes a different path: `int`, `,uuid`, `/`. Two paths with
 * different constraints can coexist: `/users/<int:id>` and `/users/<name>`.
 */
export function constraintsOf(written: string, isLenient: boolean): { readonly constraints?: string } {
  const parts = written.split('/').filter((part) => /^(?::|\{|<|\[)/.test(part));
  const kinds = parts.map((part) => {
    if (part.startsWith('<')) return /^<(?:(\w+)(?:\([^)]*\))?:)?/.exec(part)?.[1] ?? '';
    if (part.startsWith('{')) return /^\{\w+:(.+)\}$/.exec(part)?.[1] ?? '';
    if (part.startsWith('[')) return /^\[+(\.\.\.)?/.exec(part)?.[1] ?? '';
    return /^:\w+(.*)$/.exec(part)?.[1] ?? '';
  });
  const plain = kinds.map((kind) => (/^(?:str|string|default)$/.test(kind) ? '' : kind)).join();
  const end = !isLenient && /[^/]\/$/.test(written) ? '/' : '';
  const constraints = `${plain.replace(/^,+$/, '')}${end}`;
  return constraints === '' ? {} : { constraints };
}
