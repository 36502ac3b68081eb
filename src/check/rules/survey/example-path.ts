/** Code and settings that are shown to people, each on its own: two examples may use the same port. */
export function isExample(path: string): boolean {
  return (
    /(^|\/)(examples?|demos?|samples?|docs?|documentation|playgrounds?|benchmarks?|tutorials?)\//i.test(
      path,
    ) || /(^|\/)[^/]*[.-](example|sample|template|dist)(\.[^/]*)?$/i.test(path)
  );
}
