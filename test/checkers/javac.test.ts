import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

async function check(files: Record<'base' | 'a' | 'b', Record<string, string | null>>) {
  const repository = new GitRepository();
  repository.commit(files.base as Record<string, string>);
  repository.branch('a', files.a);
  repository.branch('b', files.b);
  const { code, stdout } = await joinery(['check', 'main', 'a', 'b', '--confirm', 'types', '--json'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  return { code, report: CheckReport.parse(JSON.parse(stdout)) };
}

const status = (type: string, made: string, ...imports: string[]) =>
  lines(
    'package org.shop;',
    ...imports,
    'public class Status {',
    `  public static ${type} of(String id) { return ${made}; }`,
    '}',
  );
const test1 = lines(
  'package org.shop;',
  'import static org.assertj.core.api.Assertions.assertThat;',
  'import org.junit.jupiter.api.Test;',
  'public class StatusTest {',
  '  @Test',
  '  public void works() {',
  '    assertThat(Status.of("a"));',
  '  }',
  '}',
);

describe('a compiler without its libraries', () => {
  const base = {
    'src/main/java/org/shop/Order.java': lines('package org.shop;', 'public class Order {}'),
    'src/main/java/org/shop/Status.java': status('Thing', 'Thing.of(id)', 'import org.lib.Thing;'),
  };

  test('proves nothing about a name that may come from one of them', async () => {
    const { code, report } = await check({
      base,
      // The type of the argument is known only now, so javac looks for the method only now.
      a: { 'src/main/java/org/shop/Status.java': status('Order', 'new Order()') },
      b: { 'src/test/java/org/shop/StatusTest.java': test1 },
    });
    expect(report.findings).toEqual([]);
    expect(report.checkers?.[0]?.unresolvedImports).toBeGreaterThan(0);
    expect(code).toBe(0);
  });

  test('proves what the repository itself had and lost, beside such a name', async () => {
    const { code, report } = await check({
      base,
      a: {
        'src/main/java/org/shop/Order.java': lines(
          'package org.shop;',
          'public class Order { Order(int id) {} }',
        ),
      },
      b: {
        'src/test/java/org/shop/StatusTest.java': test1.replace(
          'assertThat(Status.of("a"))',
          'Order order = new Order();\n    assertThat(order)',
        ),
      },
    });
    expect(code).toBe(1);
    expect(report.findings.map(({ judge }) => judge)).toEqual(['compiler:javac']);
  });
});
