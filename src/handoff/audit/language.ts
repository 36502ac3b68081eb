import type { AuditLanguage } from '#schema/audit.ts';
import { proseLines } from '../markdown/prose-lines.ts';

/** A text is in a script if at least this share of its letters is. */
const scriptShare = 0.2;
/** Korean documents are full of English names and quotations: beside English, this share is enough. */
const koreanShare = 0.05;
/** A text in Latin letters is German if at least this share of its words is. */
const germanShare = 0.06;

const germanWords = new Set(
  'der die das und nicht ist ein eine für mit auf wird werden sind von den dem des im zu bei nach oder auch keine kein wenn dass über wie noch nur aus'.split(
    ' ',
  ),
);

/** The language of the audited files, outside code. If languages are mixed, the first that reaches its share. */
export function languageOf(texts: readonly string[]): AuditLanguage {
  const prose = texts.flatMap((text) => proseLines(text).map((line) => line.text)).join('\n');
  const letters = count(prose, /\p{L}/gu);
  if (letters === 0) return 'en';
  const share = (script: RegExp) => count(prose, script) / letters;
  if (share(/\p{Script=Hangul}/gu) > koreanShare) return 'ko';
  const kana = share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = share(/\p{Script=Han}/gu);
  // Japanese mixes both; Chinese has no kana.
  if (kana + han > scriptShare) return kana > 0.02 ? 'ja' : 'zh';
  return isGerman(prose) ? 'de' : 'en';
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function isGerman(prose: string): boolean {
  const words = prose.toLowerCase().match(/\p{L}+/gu) ?? [];
  const german = words.filter((word) => germanWords.has(word)).length;
  return words.length > 0 && german / words.length > germanShare;
}
