/** Names that test runners pick up, whatever folder they lie in. */
const testNames: readonly RegExp[] = [
  /\.(test|spec|e2e|cy)\.[cm]?[jt]sx?$/,
  /(^|\/)(test|spec)\.[cm]?[jt]sx?$/,
  /(^|\/)test_[^/]*\.py$/,
  /_test\.(py|go|dart|exs|rb|cc|cpp|c)$/,
  /_spec\.(rb|lua)$/,
  /[a-z0-9](Test|Tests|Spec|IT)\.(java|kt|kts|scala|groovy|cs|fs|swift|php)$/,
  /(^|\/)Test[A-Z][^/]*\.(java|kt|swift)$/,
];

/** Folders that hold tests and what tests need. */
const testFolder = /(^|\/)(__tests__|__mocks__|tests?|specs?|e2e|testdata)\//;

const codeName =
  /\.([cm]?[jt]sx?|py|go|rs|java|kts?|scala|groovy|cs|fs|swift|php|rb|dart|exs?|lua|cc|cpp|c)$/;

/** Would a test runner take this file for tests? */
export function isTestFile(path: string): boolean {
  return testNames.some((name) => name.test(path)) || /(^|\/)__tests__\/[^/]+\.[cm]?[jt]sx?$/.test(path);
}

/** Rust keeps tests beside the code they test. */
export function mayHoldTests(path: string): boolean {
  return isTestFile(path) || path.endsWith('.rs');
}

/** Tests, and code that only tests use. */
export function isTestCode(path: string): boolean {
  return isTestFile(path) || (testFolder.test(path) && codeName.test(path));
}

/** Samples that tests work on: they need not make sense by themselves. */
export function isFixture(path: string): boolean {
  return /(^|\/)(__fixtures__|fixtures?|testdata|test-data|samples?)\//.test(path);
}

/** What a test expects, kept beside it. */
export function isSnapshot(path: string): boolean {
  return /\.(snap|ambr|approved\.\w+|golden)$/.test(path) || /(^|\/)__snapshots__\//.test(path);
}

/** Anything that lies among tests: code, data, settings. */
export function isInTestFolder(path: string): boolean {
  return testFolder.test(path);
}

export function isCode(path: string): boolean {
  return codeName.test(path);
}
