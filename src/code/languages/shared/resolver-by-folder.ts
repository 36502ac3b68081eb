import type { LanguageResolver } from '#code/languages/dialect.ts';
import { directoryOf } from '#code/resolve/repository-path.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { remembered } from '#lib/remembered.ts';

/** A resolver whose answers depend on the folder of the importing file alone. Each answer is computed once. */
export function resolverByFolder(
  resolve: (specifier: string, folder: string) => Resolution,
): LanguageResolver {
  const known = new Map<string, Map<string, Resolution>>();
  return {
    resolve(specifier, fromPath) {
      const folder = directoryOf(fromPath);
      const answers = remembered(known, folder, () => new Map<string, Resolution>());
      return remembered(answers, specifier, () => resolve(specifier, folder));
    },
  };
}
