import { visible } from '#lib/visible.ts';
import type { MemoryReport } from '#schema/memory.ts';

export function renderMemory({ action, memories }: MemoryReport): string {
  if (memories.length === 0) return 'Nothing is known about that.\n';
  const verb = { search: '', add: 'added ', forget: 'forgot ' }[action];
  return memories
    .map(({ id, kind, text, file, isExpired }) => {
      const about = file === null ? '' : ` (${file}${isExpired ? ', changed since: expired' : ''})`;
      return `${verb}${id} ${kind}: ${visible(text)}${visible(about)}\n`;
    })
    .join('');
}
