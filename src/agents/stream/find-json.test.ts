import { describe, expect, test } from 'vitest';
import { findJson, isObject } from './find-json.ts';

const answer = { status: 'pass', text: 'a "quoted" } brace' };
const json = JSON.stringify(answer, null, 2);

describe('the JSON of an answer is found', () => {
  test.each([
    ['bare', json],
    ['in a fence', `Here it is.\n\n\`\`\`json\n${json}\n\`\`\`\n\n**Summary** done.`],
    ['in a fence without a name', `~~~\n${json}\n~~~`],
    ['in prose', `---\n**Verdict** It is {fine}.\n${json}\nThat is all, {really}.`],
    ['after an example that is another object', `Asked for {"a": 1}. ${json}`],
  ])('%s', (_, text) => {
    expect(findJson(text, (value) => isObject(value) && 'status' in value)).toEqual(answer);
  });

  test('the last one if several are accepted', () => {
    expect(findJson('{"n": 1} then {"n": 2}')).toEqual({ n: 2 });
  });

  test('garbage contains none', () => {
    expect(findJson('')).toBeUndefined();
    expect(findJson('I { could } not "do it')).toBeUndefined();
    expect(findJson('[1, 2]')).toBeUndefined();
    expect(findJson('null')).toBeUndefined();
  });

  test('in time, also among many braces that start nothing', () => {
    const began = performance.now();
    expect(findJson('{'.repeat(200_000))).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
