/** What comes before a value, but not before the brackets of `int[]`. */
const beforeValue = /(?:[=(,{:;&|!+]|=>|\.\.|\?\?|\b(?:return|is|or|and|not|case|in|else|when|yield|await))$/;
const farEnough = 60;

/**
 * The grammar does not know empty collections, `ids = []` (C# 12). Writes a number in their place, so that all other code keeps its
 * position: `ids = 0 `.
 */
export function withoutEmptyCollections(text: string): string {
  return text.replace(/\[\s{0,20}\]/g, (brackets, offset: number) => {
    const before = text.slice(Math.max(0, offset - farEnough), offset);
    return isBeforeValue(before) ? `0${brackets.slice(1, -1)} ` : brackets;
  });
}

function isBeforeValue(before: string): boolean {
  const last = before.trimEnd();
  // `found ? [] : all`, not `string?[]`.
  const isTernary = last.endsWith('?') && last.length < before.length;
  return isTernary || beforeValue.test(last);
}
