import type { Paint } from './paint.ts';

/** The page that a text report is rendered for. */
export interface Page {
  /** Columns. */
  readonly width: number;
  readonly paint: Paint;
  /** Whether markers may use characters outside ASCII. */
  readonly unicode: boolean;
}

interface Marks {
  readonly pass: string;
  readonly fail: string;
  readonly warn: string;
  readonly unknown: string;
  readonly bar: string;
  readonly ellipsis: string;
  readonly arrow: string;
  readonly dot: string;
  readonly skipped: string;
}

const unicodeMarks: Marks = {
  pass: '✓',
  fail: '✗',
  warn: '⚠',
  unknown: '?',
  bar: '│',
  ellipsis: '…',
  arrow: '→',
  dot: '·',
  skipped: '⋮',
};

const asciiMarks: Marks = {
  pass: '+',
  fail: 'x',
  warn: '!',
  unknown: '?',
  bar: '|',
  ellipsis: '...',
  arrow: '->',
  dot: '-',
  skipped: '...',
};

export function marksOf({ unicode }: Pick<Page, 'unicode'>): Marks {
  return unicode ? unicodeMarks : asciiMarks;
}
