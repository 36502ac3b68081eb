import { expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { renderJson } from './json.ts';

test('contains the report', () => {
  const { report } = samples.crowded();
  expect(JSON.parse(renderJson(report))).toEqual(report);
});

test('keys are in the order of the schema, the text ends with one newline', () => {
  const text = renderJson(samples.renamed().report);
  expect(
    text.startsWith('{\n  "schema": "joinery/check@1",\n  "status": "fail",\n  "base": {\n    "ref"'),
  ).toBe(true);
  expect(text).toMatch(/[^\n]\n$/);
});

test('escapes control characters that JSON allows, and loses nothing', () => {
  const message = 'a\x1b\x7f\x9b\u202e\u2028\udce9\u{e0041}z';
  const text = renderJson(samples.report({ findings: [samples.finding({ message })] }));
  expect(text).toContain('"a\\u001b\\u007f\\u009b\\u202e\\u2028\\udce9\\udb40\\udc41z"');
  expect(JSON.parse(text).findings[0].message).toBe(message);
});
