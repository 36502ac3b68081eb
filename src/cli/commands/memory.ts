import { addMemoryHere, forgetMemoryHere, searchMemoryHere } from '#app/review/memory-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { renderMemory } from '#report/review/memory.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { memoryTable } from './memory.table.ts';

export const run: Run<typeof memoryTable> = async (invocation) => {
  const { positionals, options, terminal, globals } = invocation;
  const [action, ...words] = positionals;
  const text = words.join(' ').trim();
  const report =
    action === 'search'
      ? await searchMemoryHere(invocation, text)
      : action === 'add'
        ? await addMemoryHere(invocation, text, options.file)
        : await forgetMemoryHere(invocation, text);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderMemory(report));
  return exitCodes.ok;
};
