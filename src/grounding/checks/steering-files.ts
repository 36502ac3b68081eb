import { checked, type GroundingCheck, type Trouble } from './check.ts';

/** Guides and settings that agents read from the folder they start in. */
const guides =
  /^(?:(?:claude|agents|gemini|qwen)(?:\.\w+)?\.md|\.(?:cursor|windsurf|cline)rules|copilot-instructions\.md)$/i;
const settings = /^(?:\.mcp\.json|opencode\.jsonc?|\.envrc)$/i;
const folders =
  /^(?:\.claude|\.codex|\.gemini|\.qwen|\.opencode|\.cursor|\.windsurf|\.clinerules|\.vscode|\.idea|\.devcontainer)$/i;

/** Whether a file tells later agents, or the tools of the person, what to do or to run. */
export function steers(path: string): boolean {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  return guides.test(name) || settings.test(name) || parts.some((folder) => folders.test(folder));
}

/**
 * Such a file acts outside the sandbox of the work that wrote it: the next agent starts its hooks, with its own login. So only a task that
 * was given that very file may change it; adding it to the declaration later is the word of the work itself.
 */
export const steeringFiles: GroundingCheck = {
  name: 'steering-files',
  severity: 'blocking',
  check({ files, declared }) {
    const changed = [...new Set(files.flatMap(({ path, oldPath }) => [oldPath, path]))].filter(steers);
    return checked(
      changed
        .filter((path) => !declared?.includes(path))
        .map(
          (path): Trouble => ({
            key: path,
            file: path,
            message: `${path} steers later agents or the tools of its reader, and no task declares that file`,
            hint: 'revert it; a person may plan a task that declares this very file',
            // Without a task nobody says whose work the branch is.
            isLesser: declared === null,
          }),
        ),
    );
  },
};
