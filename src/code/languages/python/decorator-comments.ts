import { tokenize } from './tokens.ts';

/**
 * A comment between a decorator and its definition may be at any column; one further left ends the block for the grammar. Blanking it lets
 * the rest of the file be parsed, with all offsets unchanged. Null when there is none.
 */
export function withoutDecoratorComments(text: string): string | null {
  let result = '';
  let copied = 0;
  let isDecorator = false;
  /** End of the last logical line; null inside one. */
  let lineEnd: number | null = 0;
  tokenize(text, {
    token(kind, start, end) {
      if (kind === 'indent' || kind === 'dedent') return;
      if (kind === 'newline') {
        lineEnd = end;
        return;
      }
      if (lineEnd === null) return;
      if (isDecorator) {
        result += text.slice(copied, lineEnd) + blankComments(text.slice(lineEnd, start));
        copied = start;
      }
      isDecorator = text[start] === '@';
      lineEnd = null;
    },
  });
  result += text.slice(copied);
  return result === text ? null : result;
}

function blankComments(gap: string): string {
  return gap.replace(/#[^\r\n]*/g, (comment) => ' '.repeat(comment.length));
}
