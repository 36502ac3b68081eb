import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Adds colour to a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

export function createPaint(isColoured: boolean): Paint {
  return isColoured
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

interface ColourWish {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTTY: boolean;
  /** `--no-color`. */
  readonly refused: boolean;
}

/** A refusal overrides a demand; without either, a terminal gets colour. */
export function wantsColour({ env, isTTY, refused }: ColourWish): boolean {
  if (refused || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTTY && env.TERM !== 'dumb';
}
