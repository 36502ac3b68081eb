import { visible } from '#lib/visible.ts';
import type { Page } from '#report/text/page.ts';
import type { SettingsChangeReport } from '#schema/settings-change.ts';

/** The change of a settings file as a line diff. `what`: "starts joinery's tools". */
export function renderSettingsChange(report: SettingsChangeReport, what: string, { paint }: Page): string {
  const { action, agent, file, isChanged, isDone, before, after } = report;
  if (!isChanged) return `${file}: nothing to do`;
  if (isDone) return `${agent} ${what} ${action === 'install' ? 'from now on' : 'no longer'}: ${file}`;
  const lines = difference(before ?? '', after ?? '').map(({ mark, text }) => {
    const line = `${mark} ${visible(text)}`;
    return mark === '+' ? paint.green(line) : mark === '-' ? paint.red(line) : line;
  });
  return [`${file}${before === null ? ' (new)' : after === null ? ' (removed)' : ''}`, ...lines].join('\n');
}

interface Line {
  readonly mark: ' ' | '+' | '-';
  readonly text: string;
}

/** One piece is inserted or removed; two unchanged lines around it are shown. */
function difference(before: string, after: string): Line[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end))
    end++;
  const as = (mark: Line['mark']) => (text: string) => ({ mark, text });
  return [
    ...old.slice(Math.max(0, start - 2), start).map(as(' ')),
    ...old.slice(start, old.length - end).map(as('-')),
    ...fresh.slice(start, fresh.length - end).map(as('+')),
    ...old.slice(old.length - end, old.length - end + 2).map(as(' ')),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
