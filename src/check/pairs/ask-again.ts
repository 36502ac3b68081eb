/**
 * Rules ask trees and members for facts at will. As long as one asked for something that was not read yet, that is read
 * and the rule is asked again: no answer depends on what happens to have been read for somebody else.
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
