import type { ClearWithdrawalTarget, WithdrawalRecord } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import type { LedgerUnderTest } from '../../testing/ledger-under-test';
import { STRANGER_CPF } from '../../testing/people';

/** Targets of a withdrawal that belong to a stranger. */
export const KEY = { pixKey: STRANGER_CPF };
export const TED: Partial<ClearWithdrawalTarget> = {
  bankCode: '756',
  branchNumber: '1',
  accountNumber: '123456-7',
  accountHolderName: 'Ana Duarte',
  accountHolderTaxId: STRANGER_CPF,
};

/** Runs the timers until the withdrawal has ended. */
export const endedIn =
  (ledger: Pick<LedgerUnderTest<never>, 'tick' | 'withdrawal'>) =>
  (id: string): Promise<WithdrawalRecord> =>
    eventually(async () => {
      await ledger.tick();
      const record = await ledger.withdrawal(id);
      if (record?.state !== 'completed' && record?.state !== 'rolled-back')
        throw new Error(`the withdrawal is ${record?.state}`);
      return record;
    });
