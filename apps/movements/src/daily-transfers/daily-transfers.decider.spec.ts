import { TransferCounted } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { dailyTransfers, dailyTransfersId } from './daily-transfers.decider';

const AT = '2026-11-20T12:00:00.000Z';

describe('The transfers of an account on a day', () => {
  const counted = (transferId: string) =>
    new TransferCounted({ accountId: 'a', date: '2026-11-20', transferId, countedAt: AT });
  const count = (transferId: string, limit = 2) => ({ accountId: 'a', date: '2026-11-20', transferId, limit, at: AT });

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

  it('can be repeated when the limit has been reached, or was lowered', () => {
    scenario(dailyTransfers).given(counted('t1'), counted('t2')).when(count('t2', 1)).then();
  });

  it('are counted for each account and day', () => {
    const ids = [dailyTransfersId('a', 'd'), dailyTransfersId('b', 'd'), dailyTransfersId('a', 'e')];
    expect(new Set(ids).size).toBe(3);
  });
});
