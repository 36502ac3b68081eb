import type { Repository } from '#git/call/repository.ts';

const mostSpecs = 200;
const looksLikeSpec =
  /(^|\/)[^/]{0,255}(specs?|prds?)\b[^/]{0,255}(\/.{0,1000})?\.md$|(^|\/)[^/]{0,255}plan[^/]{0,255}\.json$/i;

/** Files a run can start from: Markdown in spec folders, and plans. */
export async function specsOf({ git }: Repository): Promise<string[]> {
  const { stdout, code } = await git.run(['ls-tree', '-r', '-z', '--full-tree', '--name-only', 'HEAD'], {
    accept: [0, 128],
  });
  if (code !== 0) return [];
  const files = stdout.toString('utf8').split('\0');
  return files.filter((path) => looksLikeSpec.test(path)).slice(0, mostSpecs);
}
