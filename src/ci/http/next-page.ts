/**
 * The address of the next page, from a `Link` header; null on the last page. Only an address of the same API is accepted:
 * the request carries the token.
 */
export function nextPage(header: string | null, api: string): string | null {
  for (const entry of (header ?? '').split(',')) {
    const [, address = '', parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(entry) ?? [];
    if (!/;\s*rel="?next"?\s*(?:;|$)/.test(parameters)) continue;
    return URL.parse(address)?.origin === new URL(api).origin ? address : null;
  }
  return null;
}
