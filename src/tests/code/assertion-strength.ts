import type { Strength } from './test-case.ts';

const exact =
  /^(toBe|toEqual|toStrictEqual|toBeNull|toBeUndefined|toBeNaN|toBeTrue|toBeFalse|toHaveLength|toBeCloseTo|toHaveBeenCalledTimes|toHaveBeen(Nth|Last)?CalledWith|toHave(Nth|Last)?ReturnedWith|to(Match|ThrowErrorMatching)InlineSnapshot|toHaveText|toHaveValue|toHaveCount|equals?|strictEqual|deepEqual|deepStrictEqual|eql?|eqls|same|is|assertEquals?|assertStrictEquals|assertAlmostEqual|assertListEqual|assertDictEqual|assertSetEqual|assertSequenceEqual|assertTupleEqual|assertCountEqual|assertIs|assertIsNone|assertRaisesRegex|Equal|EqualValues|Exactly|ElementsMatch|JSONEq|EqualError|ErrorIs|Len|InDelta|null|undefined|lengthOf|true|false|calledWith|calledOnceWith|assert_called_once_with|assert_called_with|assert_has_calls|assert_eq)$/;

const partial =
  /^(toMatchObject|toContain|toContainEqual|toContainText|toMatch|toHaveProperty|toBeGreaterThan(OrEqual)?|toBeLessThan(OrEqual)?|toBeInstanceOf|toBeTypeOf|toSatisfy|toMatchSnapshot|toMatchFileSnapshot|toBeOneOf|toHaveClass|toHaveAttribute|toThrow|toThrowError|rejects|throws|doesNotReject|like|include|includes|contains?|match|matches|above|below|within|property|keys|members|instanceof?|instanceOf|a|an|assertIn|assertRaises|assertRegex|assertIsInstance|assertGreater(Equal)?|assertLess(Equal)?|assertWarns|raises|warns|Contains|Subset|Greater|Less|ErrorContains|ErrorAs|IsType|Regexp|Panics|Error|NoError|assert_ne|matches!|throw)$/;

/** How much an assertion with this name checks. Unknown names count as partial: neither a gain nor a loss. */
export function matcherStrength(name: string, args: readonly string[], isNegated: boolean): Strength {
  if (isNegated) return exact.test(name) && args.length > 0 ? 3 : 2;
  if (/^(toThrow|toThrowError|throws?|rejects|throw)$/.test(name)) return args.length > 0 ? 3 : 2;
  if (name === 'toHaveProperty' || name === 'property') return args.length > 1 ? 4 : 3;
  if (exact.test(name)) return args.some(isAnything) ? 2 : 4;
  if (partial.test(name)) return args.some(isAnything) ? 2 : 3;
  return /^(toBeTruthy|toBeFalsy|toBeDefined|toHaveBeenCalled|toHaveBeenCalledOnce|toHaveReturned|toBeVisible|toBeInTheDocument|toExist|ok|isOk|exists?|truthy|falsy|called|assert|assertTrue|assertFalse|assertIsNotNone|assertNotEqual|assertNotIn|assertLogs|True|False|NotNil|Nil|NotEmpty|Empty|notEqual|notStrictEqual|notDeepEqual|doesNotThrow|pass|assert_called|assert_called_once)$/.test(
    name,
  )
    ? 2
    : 3;
}

/** A matcher that test runners define themselves. */
export function isKnownMatcher(name: string): boolean {
  return exact.test(name) || partial.test(name);
}

/** `expect.anything()` and similar matchers accept any value. */
function isAnything(argument: string): boolean {
  return /^(expect|mock|sinon\.match|assert)?\.?(anything\(\)|any\((Object|Function|String|Number|Array|Boolean)?\)|ANY)$/.test(
    argument.replace(/\s/g, ''),
  );
}

const literal = /^(true|false|null|None|True|False|undefined|-?\d+(\.\d+)?|["'`][^"'`]*["'`])$/;

/** `expect(true).toBe(true)`, `assert 1 == 1`: says nothing about the program. */
export function isTautology(subject: string, args: readonly string[]): boolean {
  const [first] = args;
  if (first !== undefined && subject === first) return true;
  return literal.test(subject) && (args.length === 0 || args.every((argument) => literal.test(argument)));
}
