import { visible } from '#lib/visible.ts';
import type { Page } from '#report/text/page.ts';
import { wrap } from '#report/text/wrap.ts';
import type { DoctorReport } from '#schema/command-reports.ts';

const marks = {
  pass: ['green', 'ok'],
  warn: ['yellow', 'warn'],
  fail: ['red', 'FAIL'],
  skipped: ['dim', '-'],
} as const;

export function renderDoctor(
  { checks, settings, status }: DoctorReport,
  { paint, width, verbose }: Pick<Page, 'paint' | 'width'> & { readonly verbose: boolean },
): string {
  const column = Math.max(0, ...checks.map(({ name }) => name.length)) + 2;
  const indent = 6 + column;
  const lines = checks.flatMap(({ name, status: mark, found, hint }) => {
    const [style, word] = marks[mark];
    const [first = '', ...rest] = found.split('\n').flatMap((line) => wrap(visible(line), width - indent));
    const advice = hint === '' ? [] : wrap(`→ ${visible(hint)}`, width - indent);
    return [
      `${paint[style](word.padEnd(6))}${name.padEnd(column)}${first}`,
      ...[...rest, ...advice].map((line) => ' '.repeat(indent) + line),
    ];
  });
  const shown = verbose ? settings : settings.filter(({ origin }) => origin !== 'default');
  const hidden = settings.length - shown.length;
  const keyColumn = Math.max(0, ...shown.map(({ key }) => key.length)) + 2;
  const rows = shown.map(({ key, value, origin }) => {
    const text = value === null ? 'not set' : JSON.stringify(value);
    return `  ${key.padEnd(keyColumn)}${visible(text)}  ${paint.dim(`(${visible(origin)})`)}`;
  });
  const verdict =
    status === 'pass' ? 'Everything required is there.' : 'Something required is missing: see FAIL above.';
  const defaults = `${hidden} settings have their default (--verbose shows them)`;
  const rest = hidden > 0 ? wrap(defaults, width).map((line) => paint.dim(line)) : [];
  return [
    ...lines,
    ...(rows.length > 0 ? ['', 'Settings:', ...rows] : []),
    ...(rest.length > 0 ? ['', ...rest] : []),
    '',
    verdict,
  ].join('\n');
}
