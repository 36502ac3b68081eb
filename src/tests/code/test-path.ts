/** Names that test runners pick up in any folder. */
const testNames: readonly RegExp[] = [
  /\.(test|spec|e2e|cy)\.[cm]?[jt]sx?$/,
  /(^|\/)(test|spec)\.[cm]?[jt]sx?$/,
  /(^|\/)test_[^/]*\.py$/,
  /_test\.(py|go|dart|exs|rb|cc|cpp|c)$/,
  /_spec\.(rb|lua)$/,
  /[a-z0-9](Test|Tests|Spec|IT)\.(java|kt|kts|scala|groovy|cs|fs|swift|php)$/,
  /(^|\/)Test[A-Z][^/]*\.(java|kt|swift)$/,
];

/** Folders with tests and their support files. */
const testFolder = /(^|\/)(__tests__|__mocks__|tests?|specs?|e2e|testdata)\//;

const codeName =
  /\.([cm]?[jt]sx?|py|go|rs|java|kts?|scala|groovy|cs|fs|swift|php|rb|dart|exs?|lua|cc|cpp|c)$/;

/** Whether a test runner would pick up this file. */
export function isTestFile(path: string): boolean {
  return testNames.some((name) => name.test(path)) || /(^|\/)__tests__\/[^/]+\.[cm]?[jt]sx?$/.test(path);
}

/** Rust puts tests into the same file as the code. */
export function mayHoldTests(path: string): boolean {
  return isTestFile(path) || path.endsWith('.rs');
}

/** Tests, and code that only tests use. */
export function isTestCode(path: string): boolean {
  return isTestFile(path) || (testFolder.test(path) && codeName.test(path));
}

/** Sample input of tests: it need not be valid by itself. */
export function isFixture(path: string): boolean {
  return /(^|\/)(__fixtures__|fixtures?|testdata|test-data|samples?)\//.test(path);
}

/** Stored expectations of a test. */
export function isSnapshot(path: string): boolean {
  return /\.(snap|ambr|approved\.\w+|golden)$/.test(path) || /(^|\/)__snapshots__\//.test(path);
}

/** Anything in a test folder: code, data, settings. */
export function isInTestFolder(path: string): boolean {
  return testFolder.test(path);
}

export function isCode(path: string): boolean {
  return codeName.test(path);
}
