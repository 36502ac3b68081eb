import { expect, test } from 'vitest';
import { type CaseReport, casesOfJest, casesOfJunit } from './cases.ts';

const root = '/work/tree';
const told = ({ cases, unloaded }: CaseReport) => ({
  cases: cases.map(({ id, outcome }) => `${outcome} ${id}`),
  unloaded,
});
const junit = (body: string) =>
  told(casesOfJunit([`<?xml version="1.0"?>\n<testsuites>${body}</testsuites>`], root));

test('node names the file of a case, and a file that could not be loaded like a case', () => {
  expect(
    junit(`
    <testcase name="plain" classname="test" file="${root}/test/a.test.js"/>
    <testsuite name="suite"><testcase name="bad" classname="suite" file="${root}/test/a.test.js">
      <failure type="testCodeFailure" message="1 == 2">at ${root}</failure></testcase></testsuite>
    <testcase name="test/b.test.js" classname="test" file="${root}/test/b.test.js"><failure message="test failed"/></testcase>`),
  ).toEqual({
    cases: ['passed test/a.test.js > plain', 'failed test/a.test.js > suite > bad'],
    unloaded: [{ file: 'test/b.test.js', reason: '' }],
  });
  // Older ones name no file.
  expect(
    junit(`<testsuite name="suite"><testcase name="inner" classname="test"/></testsuite>
      <testcase name="${root}/test/b.test.js" classname="test"><failure message="test failed"/></testcase>`),
  ).toEqual({ cases: ['passed suite > inner'], unloaded: [{ file: 'test/b.test.js', reason: '' }] });
});

test('vitest names the file as the class', () => {
  expect(
    junit(`<testsuite name="test/a.test.js">
      <testcase classname="test/a.test.js" name="s &gt; good"/>
      <testcase classname="test/a.test.js" name="later"><skipped/></testcase></testsuite>
      <testsuite name="test/b.test.js"><testcase classname="test/b.test.js" name="test/b.test.js">
        <failure message="Cannot find package &apos;dep&apos;" type="Error"/></testcase></testsuite>`),
  ).toEqual({
    cases: ['passed test/a.test.js > s > good', 'skipped test/a.test.js > later'],
    unloaded: [{ file: 'test/b.test.js', reason: "Cannot find package 'dep'" }],
  });
});

test('pytest names the module before the class', () => {
  expect(
    junit(`<testsuite name="pytest">
      <testcase classname="tests.test_a" name="test_a" file="tests/test_a.py"/>
      <testcase classname="tests.test_a.TestX" name="test_b[1]" file="tests/test_a.py"/>
      <testcase classname="" name="tests.test_b" file="tests/test_b.py"><error message="collection failure">No module</error></testcase>
      </testsuite>`),
  ).toEqual({
    cases: ['passed tests/test_a.py > test_a', 'passed tests/test_a.py > TestX > test_b[1]'],
    unloaded: [{ file: 'tests/test_b.py', reason: '' }],
  });
});

test('equal names stay apart, and Jest says why a file did not run', () => {
  expect(junit('<testcase classname="A" name="x"/><testcase classname="A" name="x"/>').cases).toEqual([
    'passed A > x',
    'passed A > x~2',
  ]);
  const document = {
    testResults: [
      {
        name: `${root}/a.test.js`,
        status: 'passed',
        assertionResults: [{ ancestorTitles: ['s'], title: 'good', status: 'passed' }],
      },
      {
        name: `${root}/b.test.js`,
        status: 'failed',
        message: '\n  Cannot find module dep\n',
        assertionResults: [],
      },
    ],
  };
  expect(told(casesOfJest(JSON.stringify(document), root))).toEqual({
    cases: ['passed a.test.js > s > good'],
    unloaded: [{ file: 'b.test.js', reason: '  Cannot find module dep'.trim() }],
  });
});
