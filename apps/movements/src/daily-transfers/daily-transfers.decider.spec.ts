import { TransferCounted, TransferUncounted } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { dailyTransfers, dailyTransfersId } from './daily-transfers.decider';

const AT = '2026-11-20T12:00:00.000Z';

describe('The transfers of an account on a day', () => {
  const counted = (transferId: string) =>
    new TransferCounted({ accountId: 'a', date: '2026-11-20', transferId, attemptId: 'n1', countedAt: AT });
  const count = (transferId: string, limit = 2) => ({
    kind: 'count' as const,
    accountId: 'a',
    date: '2026-11-20',
    transferId,
    attemptId: 'n1',
    limit,
    at: AT,
  });

  it('are counted once each, up to the limit', () => {
    scenario(dailyTransfers).given().when(count('t1')).then(counted('t1'));
    scenario(dailyTransfers).given(counted('t1')).when(count('t1')).then();
    scenario(dailyTransfers).given(counted('t1')).when(count('t2')).then(counted('t2'));
    const refusal = scenario(dailyTransfers).given(counted('t1'), counted('t2')).when(count('t3')).refusal();
    expect(refusal).toMatchObject({
      violations: [
        {
          code: 'limit-exceeded',
          path: '',
          message: 'an account may make 2 transfers of tokens and certificates a day',
        },
      ],
    });
  });

  it('are given back once, so that another one can be made', () => {
    const uncounted = new TransferUncounted({ accountId: 'a', date: '2026-11-20', transferId: 't1' });
    const mine = { accountId: 'a', date: '2026-11-20', transferId: 't1', attemptId: 'n1' };
    const uncount = { kind: 'uncount', ...mine } as const;
    scenario(dailyTransfers).given(counted('t1')).when(uncount).then(uncounted);
    scenario(dailyTransfers).given(counted('t1'), uncounted).when(uncount).then();
    // Another attempt may be creating the transfer.
    scenario(dailyTransfers)
      .given(counted('t1'))
      .when({ ...uncount, attemptId: 'n2' })
      .then();
    scenario(dailyTransfers).given(counted('t1'), uncounted).when(count('t2', 1)).then(counted('t2'));
  });

  it('can be repeated when the limit has been reached, or was lowered', () => {
    scenario(dailyTransfers).given(counted('t1'), counted('t2')).when(count('t2', 1)).then();
  });

  it('are counted for each account and day', () => {
    const ids = [dailyTransfersId('a', 'd'), dailyTransfersId('b', 'd'), dailyTransfersId('a', 'e')];
    expect(new Set(ids).size).toBe(3);
  });
});
