import { stubMark } from '#schema/contract.ts';
import { checked, type GroundingCheck } from './check.ts';

/** Others rely on types and tests generated from the contract: a task must not change them. */
export const contractStubs: GroundingCheck = {
  name: 'contract-stubs',
  severity: 'blocking',
  check({ files }) {
    const touched = files.filter(({ before, after }) => before !== after && isStub(before));
    return checked(
      touched.map(({ oldPath, status }) => ({
        key: oldPath,
        file: oldPath,
        message: `${oldPath} was made from the contract and is read-only: it was ${status}`,
        hint: 'restore it; request a change of the contract in the handoff ("contractChanges")',
      })),
    );
  },
};

function isStub(text: string | null): boolean {
  return text !== null && (text.split('\n', 1)[0] ?? '').includes(stubMark);
}
