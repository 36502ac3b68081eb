/**
 * Rules ask trees and members for facts at any time. When a rule needs facts that are not loaded yet, they are loaded and the rule runs
 * again, so that no result depends on what happens to be loaded.
 */
export async function askAgain<Answer>(
  asked: readonly { settle(): Promise<boolean> }[],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    const settled = await Promise.all(asked.map((each) => each.settle()));
    if (settled.every((isSettled) => isSettled)) return answer;
  }
}
