import type { FileChange } from '#grounding/change/change.ts';
import { type CodeStyle, maskCode, maskScript } from '#tests/code/mask-code.ts';

const decision =
  /\b(?:if|elif|unless|guard|switch|match|case|when|while|until|for|foreach|catch|except|rescue)\b|&&|\|\||\?\?|\?(?![.?:,)\]>])|\band\b|\bor\b/g;
/** Languages in which the words `and` and `or` are operators. */
const wordOperators = /\.(py|rb|lua|exs?)$/;

/** How many branches of control flow a change adds, in code only: comments and strings do not count. */
export function decisionsAdded({ path, oldPath, before, after, lines }: FileChange): number {
  const come = decisionsIn(path, after, lines.added);
  return come === 0 ? 0 : Math.max(0, come - decisionsIn(oldPath, before, lines.removed));
}

function decisionsIn(path: string, text: string | null, lines: FileChange['lines']['added']): number {
  if (text === null || lines.length === 0) return 0;
  const masked = maskedLines(path, text);
  return lines.reduce((sum, { line }) => {
    const found = (masked[line - 1] ?? '').match(decision) ?? [];
    return sum + found.filter((word) => !/^(and|or)$/.test(word) || wordOperators.test(path)).length;
  }, 0);
}

/** A larger file is data. */
const mostText = 1_000_000;

function maskedLines(path: string, text: string): string[] {
  if (text.length > mostText) return [];
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const masked = /^([cm]?[jt]sx?|vue|svelte)$/.test(ending)
    ? maskScript(text)
    : maskCode(text, styleOf(ending));
  return masked.split(/\r?\n/);
}

function styleOf(ending: string): CodeStyle {
  if (ending === 'py') return 'python';
  if (ending === 'rb' || ending === 'exs' || ending === 'ex') return 'ruby';
  return ending === 'go' ? 'go' : ending === 'rs' ? 'rust' : 'c';
}

const publicLine =
  /^\s*(?:@objc\b|@Composable\b|open\s+(?:fun|class)\s+(?<a>\w+)|public\s+(?:[\w<>[\]]+\s+)*?(?:func|class|struct|enum|interface|protocol|record)\s+(?<b>\w+)|pub\s+(?:async\s+)?(?:fn|struct|enum|trait|mod)\s+(?<c>\w+)|func\s+(?:\([^)]*\)\s*)?(?<d>[A-Z]\w*)|type\s+(?<e>[A-Z]\w*)\s)/;

/** Names that added lines make public, for languages without facts. */
export function publicInLines({ path, after, lines }: FileChange): string[] {
  if (after === null || !/\.(swift|kts?|java|cs|scala|rs|go|m)$/.test(path)) return [];
  const masked = maskedLines(path, after);
  return lines.added.flatMap(({ line }) => {
    const found = publicLine.exec(masked[line - 1] ?? '');
    if (!found) return [];
    return [Object.values(found.groups ?? {}).find((name) => name !== undefined) ?? 'a public declaration'];
  });
}
