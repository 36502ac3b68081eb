import { exampleContract } from '#schema/contract.ts';

/** A plan to fill in by hand: two tasks with all commonly needed keys. */
export function planSkeleton(): object {
  return {
    schema: 'joinery/plan@1',
    tasks: [
      {
        id: 'user',
        title: 'Add the display name to users',
        description: 'What to do, exactly.',
        dependsOn: [],
        files: ['src/user.ts', 'src/user.test.ts'],
        acceptance: [{ text: 'A user has a display name', verifyBy: 'test', arg: 'src/user.test.ts' }],
      },
      {
        id: 'profile',
        title: 'Show the display name',
        description: 'What to do, exactly.',
        dependsOn: ['user'],
        files: ['src/profile.ts'],
        acceptance: [],
      },
    ],
    contract: exampleContract,
  };
}
