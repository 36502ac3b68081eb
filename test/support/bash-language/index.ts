import type { LanguageEntry } from '#code/languages/dialect.ts';
import { cautious } from '#code/languages/shared/cautious.ts';
import { treeLanguage } from '#code/languages/tree-sitter/tree-language.ts';
import { within } from '#code/resolve/repository-path.ts';
import { Search } from '#code/resolve/search.ts';

const bash = treeLanguage('bash', 1, 'bash', async () => (await import('./reading.ts')).bashReading);

const dialect: LanguageEntry['dialect'] = {
  ...cautious,
  imports: {
    ...cautious.imports,
    // `source lib/log.sh` starts at the folder of the caller, which is the root of the repository here.
    openResolver: (tree) => ({
      resolve(specifier) {
        const search = new Search(tree);
        const path = within('', specifier);
        const found = path === undefined ? undefined : search.file(path);
        return found === undefined ? search.missing() : search.found(found, true);
      },
    }),
  },
};

export const bashEntry: LanguageEntry = { language: bash, dialect, endings: ['.sh'] };
