import { existsSync, readFileSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import type { Context } from 'hono';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** A file of the built pages; every other address gets the single page, which reads the address itself. */
export function serveWeb(c: Context, folder: string): Response {
  const wanted = normalize(c.req.path);
  const file = join(folder, wanted);
  const isAsset = file.startsWith(folder + sep) && extname(file) in types && existsSync(file);
  const path = isAsset ? file : join(folder, 'index.html');
  return c.body(new Uint8Array(readFileSync(path)), 200, {
    'content-type': types[extname(path)] ?? 'application/octet-stream',
    'cache-control': isAsset && wanted.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache',
  });
}
