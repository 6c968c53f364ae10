import { RequestSettlement } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { OWNER, uuid } from '../testing/certificates-under-test';

const OUTSIDE = `0x${'cd'.repeat(20)}`;
const HOUR_MS = 3_600_000;

/** Targets are screened again after a minute, so the requests of these tests are fresh throughout. */
const service = CertificatesForEachTest.of({});

async function mint(screenedAt: string): Promise<string> {
  const orderId = uuid();
  await service.movements.bus.request(
    RequestSettlement,
    {
      ...{ settlementId: uuid(), orderId, accountId: OWNER, kind: 'mint', asset: 'eth-base/brlv' },
      ...{ amount: '1', brlAmount: '1.00', wallet: OUTSIDE, screenedAt },
    },
    service.movements.context(),
  );
  return orderId;
}
const signed = () => service.movements.ofType('TransactionSigned');

describe('The target of an order', () => {
  it('is screened again before a first signature if it was screened long before the request', async () => {
    service.movements.outcomes.set(OUTSIDE, 'waits');
    const id = await mint(isoTime(Date.now() - HOUR_MS));
    await eventually(() => expect(service.movements.screened).toContain(OUTSIDE));
    expect(signed()).toEqual([]);
    await service.movements.review({ kind: 'order', id }, 'clear');
    await eventually(() => expect(signed()).toHaveLength(1));
  });

  it('is not screened again if it was screened just before the request', async () => {
    await mint(isoTime(Date.now()));
    await eventually(() => expect(signed()).toHaveLength(1));
    expect(service.movements.screened).toEqual([]);
  });
});
