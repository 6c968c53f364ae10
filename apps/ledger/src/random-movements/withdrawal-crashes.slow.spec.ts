import { Refusal, Unavailable } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('100.00'));

const KEY = { pixKey: STRANGER_CPF };

/** Retries a request under its idempotency key until any process answers it. */
const retryUntilAnswered = <T>(ask: () => Promise<T>): Promise<T> =>
  eventually(async () => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Unavailable || (error as Error).name === 'ProcessCrashed') throw error;
      throw new Error(`not a fault but an answer: ${String(error)}`, { cause: error });
    }
  });

const WAY = [
  'HoldPlaced',
  'AllowanceTaken',
  'ClientReferenceReserved',
  'WithdrawalCreated',
  'WithdrawalProcessingStarted',
  'WithdrawalPosted',
  'WithdrawalCompleted',
];
const BACK = ['WithdrawalRolledBack', 'AllowanceReturned', 'HoldReleased'];
const KINDS: readonly FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
const CASES = [
  ...WAY.flatMap((type) => KINDS.map((kind) => [kind, type, '10.00', 'completed'] as const)),
  ...BACK.flatMap((type) => KINDS.map((kind) => [kind, type, '10.95', 'rolled-back'] as const)),
];

describe('A withdrawal, after a fault at an append', () => {
  it.each(CASES)(
    '%s at %s with %s BRL ends %s exactly once, and the books are correct',
    async (kind, type, amount, state) => {
      const { struck } = ledger.store.faults.next({
        kind,
        match: (_stream, events) => events.some((event) => event.type === type),
      });
      const restarted = struck.then(async () => {
        if (kind === 'crash-after-append') await ledger.restart();
      });
      const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b', externalId: 'payout-1' };
      const { id } = await retryUntilAnswered(() => ledger.withdraw(amount, KEY, scope));
      await restarted;
      await eventually(async () => {
        await ledger.tick();
        expect(await ledger.withdrawal(id)).toMatchObject({ state });
        expect((await ledger.balance()).held).toBe('0.00');
      });
      const running = state === 'completed' ? '90.00' : '100.00';
      expect(await ledger.balance()).toEqual({ running, available: running, held: '0.00' });
      expect(ledger.payouts.totals().completed).toEqual(state === 'completed' ? [paymentIdOf(id)] : []);
      const last = (await ledger.types('withdrawal-')).filter((one) => one !== 'WithdrawalAbandoned');
      expect(last).toEqual([
        'WithdrawalCreated',
        'WithdrawalProcessingStarted',
        state === 'completed' ? 'WithdrawalCompleted' : 'WithdrawalRolledBack',
      ]);
      await eventually(() => ledger.assertTrialBalance());
    },
  );
});

describe('Funds that were held for a withdrawal that was never created', () => {
  it('are given back if the caller does not retry, and a late retry holds new funds', async () => {
    ledger.store.faults.next({
      kind: 'refuse',
      match: (_stream, events) => events.some((event) => event.type === 'WithdrawalCreated'),
    });
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b', externalId: 'payout-1' };
    await expect(ledger.withdraw('100.00', KEY, scope)).rejects.toBeInstanceOf(Unavailable);
    expect(await ledger.balance()).toMatchObject({ held: '100.00' });
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.balance()).toMatchObject({ available: '100.00', held: '0.00' });
    });
    expect(await ledger.withdraw('100.00', KEY, scope)).toMatchObject({ state: 'created' });
    await eventually(async () => {
      expect((await ledger.balance()).running).toBe('0.00');
    });
    const types = ['WithdrawalAbandoned', 'WithdrawalCreated', 'WithdrawalProcessingStarted', 'WithdrawalCompleted'];
    await eventually(async () => expect(await ledger.types('withdrawal-')).toEqual(types));
  });

  it('leave their external id free for another withdrawal after a while', async () => {
    ledger.store.faults.next({
      kind: 'refuse',
      match: (_stream, events) => events.some((event) => event.type === 'WithdrawalCreated'),
    });
    await expect(ledger.withdraw('10.00', KEY, { externalId: 'payout-1' })).rejects.toBeInstanceOf(Unavailable);
    await expect(ledger.withdraw('10.00', KEY, { externalId: 'payout-1' })).rejects.toBeInstanceOf(Refusal);
    ledger.now += 180_000;
    expect(await ledger.withdraw('10.00', KEY, { externalId: 'payout-1' })).toMatchObject({ externalId: 'payout-1' });
  });
});
