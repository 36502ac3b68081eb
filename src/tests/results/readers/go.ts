import { parseJson } from '#lib/parse-json.ts';
import type { TestReader } from './reading.ts';

interface GoEvent {
  readonly Action?: string;
  readonly Package?: string;
  readonly Test?: string;
}

/** `go test -json`: an event per line. */
export const goJson: TestReader = {
  name: 'go-json',
  read(lines) {
    const sums = { passed: 0, failed: 0, skipped: 0 };
    const failing: string[] = [];
    const passing: string[] = [];
    const used: number[] = [];
    const failedIn = new Set<string>();
    const brokenPackages: string[] = [];
    for (const [index, line] of lines.entries()) {
      const event =
        line.startsWith('{"') && line.includes('"Action"') ? (parseJson(line) as GoEvent | undefined) : null;
      if (!event) continue;
      used.push(index);
      const where = event.Package ?? '';
      if (event.Test === undefined) {
        if (event.Action === 'fail') brokenPackages.push(where);
        continue;
      }
      if (event.Action === 'pass') {
        sums.passed += 1;
        passing.push(`${where} ${event.Test}`);
      }
      if (event.Action === 'skip') sums.skipped += 1;
      if (event.Action !== 'fail') continue;
      sums.failed += 1;
      failing.push(`${where} ${event.Test}`);
      failedIn.add(where);
    }
    // A package fails because of its tests, or because it does not build.
    const alone = brokenPackages.filter((name) => !failedIn.has(name));
    if (used.length === 0) return null;
    return { ...sums, failed: sums.failed + alone.length, failing: [...failing, ...alone], passing, used };
  },
};

const testLine = /^\s*--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
const packageLine = /^(ok|FAIL|---)\s+(\S+)\t(?:[\d.]+s|\(cached\)|\[build failed\]|\[setup failed\])(.*)$/;
const brokenLine = /^FAIL\s+(\S+) \[(build|setup) failed\]$/;
const noTests = /^\?\s+\S+\t\[no test files\]$/;

/**
 * `go test` and `go test -v`. Without `-v` it does not say how many tests passed: then a package counts as one, which is
 * enough to know that tests ran.
 */
export const go: TestReader = {
  name: 'go',
  read(lines) {
    const sums = { passed: 0, failed: 0, skipped: 0 };
    const failing: string[] = [];
    const used: number[] = [];
    let packages = 0;
    let passedPackages = 0;
    for (const [index, line] of lines.entries()) {
      const [, verdict, name = ''] = testLine.exec(line) ?? [];
      const broken = brokenLine.exec(line)?.[1];
      const [, status, , remark = ''] = packageLine.exec(line) ?? [];
      if (verdict === 'PASS') sums.passed += 1;
      else if (verdict === 'SKIP') sums.skipped += 1;
      else if (verdict === 'FAIL') {
        sums.failed += 1;
        failing.push(name);
      } else if (broken !== undefined) {
        packages += 1;
        sums.failed += 1;
        failing.push(broken);
      } else if (status !== undefined) {
        packages += 1;
        if (status === 'ok' && !remark.includes('[no tests to run]')) passedPackages += 1;
      } else if (noTests.test(line)) packages += 1;
      else continue;
      used.push(index);
    }
    if (packages === 0) return null;
    return { ...sums, passed: sums.passed > 0 ? sums.passed : passedPackages, failing, used };
  },
};
