import { range, type TestReader } from '../reading.ts';

const attributes = String.raw`((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*`;
const cases = new RegExp(String.raw`<testcase${attributes}(?:/>|>(.*?)</testcase\s*>)`, 'gs');

/** JUnit XML, which many runners write. Counted by its cases: the totals of a suite mean different things to different runners. */
export const junit: TestReader = {
  name: 'junit',
  read(lines) {
    const first = lines.findIndex((line) => /<testsuites?[\s>]/.test(line));
    const last = lines.findLastIndex((line) => /<\/testsuites?\s*>|<testsuites?[^>]*\/>/.test(line));
    if (first < 0 || last < first) return null;
    const text = lines
      .slice(first, last + 1)
      .join('\n')
      .replace(/<!\[CDATA\[.*?\]\]>/gs, '')
      .replace(/<system-(out|err)>.*?<\/system-\1>/gs, '');
    const sums = { passed: 0, failed: 0, skipped: 0 };
    const failing: string[] = [];
    for (const [, given = '', body = ''] of text.matchAll(cases)) {
      if (/<(failure|error)[\s>/]/.test(body)) {
        sums.failed += 1;
        failing.push([attribute(given, 'classname'), attribute(given, 'name')].filter(Boolean).join(' > '));
      } else if (/<skipped[\s>/]/.test(body)) sums.skipped += 1;
      else sums.passed += 1;
    }
    return { ...sums, failing, used: range(first, last + 1) };
  },
};

function attribute(given: string, name: string): string {
  const match = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(given);
  return decode(match?.[1] ?? match?.[2] ?? '');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? all;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
