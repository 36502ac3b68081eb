import { readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { browserPath } from '#scripts/browser.ts';
import type { Shown } from '../support/window.ts';

/** '3,001 lines' → 3001 */
export function linesOf(text: string | null): number {
  return Number(text?.split(' ')[0]?.replaceAll(',', ''));
}

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the browser, and requests that left the server. */
  readonly complaints: string[];
  go(path: string): Promise<void>;
  /** Violations that axe finds on the page in its current state. */
  violations(): Promise<string[]>;
}

/** A real browser that followed the link of a dashboard. */
export async function openPage(
  { server }: Pick<Shown, 'server'>,
  options: { readonly dark?: boolean; readonly width?: number } = {},
): Promise<OpenPage> {
  const browser: Browser = await chromium.launch({
    executablePath: browserPath() ?? '',
    args: ['--no-sandbox'],
  });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: { width: options.width ?? 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(server.link);
  return {
    page,
    context,
    complaints,
    async go(path) {
      await page.goto(new URL(path, server.url).href);
      await page.waitForSelector('h1');
    },
    async violations() {
      // The page's script policy does not apply to the driver of the browser.
      await page.evaluate(
        readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8'),
      );
      const found = await page.evaluate<
        { id: string; nodes: { target: string[]; failureSummary: string }[] }[]
      >(
        "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(({ violations }) => violations)",
      );
      return found.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
      );
    },
  };
}
