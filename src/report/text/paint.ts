import type { Severity } from '#schema/vocabulary.ts';

const styles = ['bold', 'dim', 'red', 'yellow', 'green', 'cyan'] as const;

type Style = (typeof styles)[number];

/** Colours, one function each. Painted text is only printed, never measured or cut. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

export function paintWith(style: (style: Style, text: string) => string): Paint {
  return Object.fromEntries(
    styles.map((name) => [name, (text: string) => (text === '' ? '' : style(name, text))]),
  ) as Paint;
}

export const plainPaint: Paint = paintWith((_style, text) => text);

export function tintOf(paint: Paint, severity: Severity): (text: string) => string {
  switch (severity) {
    case 'blocking':
      return paint.red;
    case 'important':
      return paint.yellow;
    case 'minor':
      return paint.cyan;
    case 'info':
      return paint.dim;
  }
}
