import { existsSync } from 'node:fs';

/** The browser for the tests of the pages; null if none is installed. */
export function browserPath(): string | null {
  const candidates = [
    process.env.JOINERY_BROWSER,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  return candidates.find((path) => path !== undefined && existsSync(path)) ?? null;
}
