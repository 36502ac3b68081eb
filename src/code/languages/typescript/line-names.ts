const exported =
  /\bexport\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function(?:\s*\*)?|class|const|let|var|interface|type|enum|namespace)\s+(\w+)/g;

export function exportsInLine(text: string): string[] {
  const named = [...text.matchAll(exported)].flatMap((match) => match[1] ?? []);
  return /\bexport\s+default\b/.test(text) ? [...named, 'default'] : named;
}

/** Exports in lists, destructuring, CommonJS. */
export function hasHiddenExports(text: string): boolean {
  return /\bexport\s*(type\s*)?[{*=]|\bexport\s+(const|let|var)\s*[{[]|\bexports\b/.test(text);
}
