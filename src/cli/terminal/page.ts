import type { Page } from '#report/text/page.ts';
import { paintWith } from '#report/text/paint.ts';
import type { Terminal } from './terminal.ts';

/** The page that reports for people are rendered for: this terminal. */
export function pageOf({ width, paint }: Terminal, env: NodeJS.ProcessEnv): Page {
  return { width, paint: paintWith(paint), unicode: speaksUnicode(env) };
}

function speaksUnicode(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return process.platform === 'win32' ? env.WT_SESSION !== undefined : /utf-?8/i.test(locale);
}
