/** One spelling for all frameworks: `/users/:id`, `/users/{id}`, `/users/<int:id>`, `/users/[id]` are `/users/:`. */
export function plainPath(written: string): string {
  const [path = ''] = written.replace(/^https?:\/\/[^/]+/, '').split(/[?#]/);
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (/^(?::|\{|<|\[|\$\{)/.test(part) || part.includes(parameter) ? ':' : part));
  return `/${parts.join('/')}`;
}

/** Stands for a value in the text of a template. */
export const parameter = '\u0001';

export function joinPaths(prefix: string, path: string): string {
  return plainPath(`${prefix}/${path}`);
}
