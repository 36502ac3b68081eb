import { isCode } from '#code/languages/index.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import type { ChangedText } from './changed-text.ts';

/** `MAX_UPLOAD_BYTES = 5 * 1024 * 1024`: role `MAX_UPLOAD`, value 5242880. */
export interface ConstantNews {
  readonly name: string;
  readonly role: string;
  readonly value: number;
  readonly written: string;
  readonly line: number;
}

const constant =
  /^\s*(?:export\s+)?(?:(?:public|private|static|readonly|final|const|let|var)\s+)*([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*(?::\s*[\w.[\]]+\s*)?=\s*([\d_]+(?:\.\d+)?(?:\s*\*\s*[\d_]+(?:\.\d+)?)*)\s*(?:[;,]\s*)?(?:(?:\/\/|#).*)?$/;
const units: Readonly<Record<string, number>> = {
  MS: 1,
  MILLIS: 1,
  SECONDS: 1000,
  SECS: 1000,
  SEC: 1000,
  MINUTES: 60_000,
  HOURS: 3_600_000,
  BYTES: 1,
  KB: 1024,
  MB: 1024 * 1024,
};

export function readConstants({ path, added }: ChangedText): ConstantNews[] | undefined {
  if (!isCode(path) || isTestCode(path) || isFixture(path)) return undefined;
  const found = added.flatMap(({ line, text }) => {
    const [, name = '', written] = constant.exec(text) ?? [];
    if (written === undefined) return [];
    const words = name.replace(/^DEFAULT_/, '').split('_');
    const unit = words.length > 2 ? units[words.at(-1) ?? ''] : undefined;
    const product = written
      .split('*')
      .reduce((sum, part) => sum * Number(part.replaceAll('_', '').trim()), 1);
    const role = (unit === undefined ? words : words.slice(0, -1)).join('_');
    return [{ name, role, value: product * (unit ?? 1), written: written.trim(), line }];
  });
  return found.length > 50 ? undefined : found;
}
