/** Whether a text names exactly this file: `conftest.py` in "change conftest.py.", but not in "see tests/conftest.py". */
export function mentionsPath(text: string, path: string): boolean {
  const pieces = text.split(path);
  return pieces.slice(1).some((after, at) => {
    const before = (pieces[at] ?? '').replace(/(?<![\w./-])\.\/$/, '');
    return !/[\w./@-]$/.test(before) && !/^(?:[\w/@-]|\.\w)/.test(after);
  });
}
