/** `npm run generate`: writes the generated files. `npm test` fails if that was forgotten. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFolders, generateFiles } from './generated.ts';
import { root } from './root.ts';

const files = generateFiles();
for (const folder of generatedFolders) {
  for (const name of readdirSync(join(root, folder))) {
    if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
  }
}
for (const [path, content] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
console.log(`${files.size} files written`);
