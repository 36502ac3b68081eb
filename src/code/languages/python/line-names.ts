const defined = /^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=(?!=)/;

export function definitionsInLine(text: string): string[] {
  const [, definition, variable] = defined.exec(text) ?? [];
  return [definition, variable].filter((name) => name !== undefined);
}

/** Imports that are passed on, blocks, several targets, `__all__`. */
export function hasHiddenNames(before: string, removedLines: readonly string[]): boolean {
  return (
    removedLines.some((text) => /^(from|import|try|if|with|for)\b|^(?=.[^=]*,)[\w\s,()]+=/s.test(text)) ||
    /^__all__/m.test(before)
  );
}
