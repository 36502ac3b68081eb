import { withoutReexport } from '../edit.ts';
import type { Candidate, Operator } from '../operator.ts';
import { addedFile, useOf } from './added-use.ts';

/** A makes a definition internal to its file; B adds an import of it. */
export const dropExport: Operator = {
  name: 'drop export',
  rule: 'S13',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const targets = project.exported('function', 'class', 'interface', 'type', 'variable');
    for (const target of random.shuffled(targets)) {
      const { name, path, start, node } = target;
      const spare = random.shuffled(targets).find((other) => other.name !== name);
      if (node.type !== 'ExportNamedDeclaration' || !spare || project.isImported(name)) continue;
      const text = project.text(path);
      const hidden = `${text.slice(0, start)}${text.slice(start).replace(/^export\s+/, '')}`;
      const a = new Map([[path, hidden]]);
      for (const file of project.occurrences(name).keys())
        if (file !== path) a.set(file, withoutReexport(file, project.text(file), name));
      yield {
        a,
        b: new Map([[addedFile, useOf(target)]]),
        twin: { a, b: new Map([[addedFile, useOf(spare)]]) },
        consumerFile: addedFile,
        symbol: name,
      };
    }
  },
};
