import type { TransferRecord } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { TransfersUnderTest } from '../testing/transfers-under-test';

const service = TransfersUnderTest.forEachTest();
const AMOUNTS = ['1', '2', '3', '4'];

describe('Transfer requests under one idempotency key at once', () => {
  it('make one transfer, and refuse the requests with another amount', async () => {
    service.movements.placingTakesMs = 10;
    for (let key = 0; key < 10; key += 1) {
      const first = service.request();
      const answers = await Promise.allSettled(
        AMOUNTS.map((amount) => service.send({ ...first, amount, bodyHash: amount })),
      );
      const made = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(refused.map((error) => (error instanceof Refusal ? error.code : String(error)))).toEqual(
        Array.from({ length: AMOUNTS.length - 1 }, () => 'idempotency-key-reused'),
      );
      expect(made).toHaveLength(1);
      const created = service.movements.ofType('TransferCreated').at(-1)?.data as { holdId: string };
      expect(Number(service.movements.heldAmounts.get(created.holdId))).toBe(
        Number((made[0] as TransferRecord).amount),
      );
    }
    const owned = service.movements.ofType('TransferCreated').map(({ data }) => (data as { holdId: string }).holdId);
    expect([...service.movements.holds].filter((holdId) => !owned.includes(holdId))).toEqual([]);
  });
});
