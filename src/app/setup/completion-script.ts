import { readOwnFile } from '#process/own-package.ts';

/** The script for a shell, made from the command tables by `npm run generate`. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish'): string {
  return readOwnFile(`bin/completion/joinery.${shell}`);
}
