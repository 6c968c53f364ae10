import { eventually } from '@ponte/testing';
import { WhenTransactionEndedSettleCertificate } from '../certificates/when-transaction-ended-settle-certificate.policy';
import { OUTSIDE } from '../testing/transfers-under-test';
import { PendingTransactions } from '../transactions/pending-transactions.read-model';
import { WhenTransactionEndedEndTransfer } from '../transfer/when-transaction-ended-end-transfer.policy';
import { SweepsUnderTest } from './missing-movements.testing';
import { TRANSACTION_ENDS } from './transaction-ends.service';

const sweeps = SweepsUnderTest.forEachTest();
const { service } = sweeps;

const ends = () => TRANSACTION_ENDS.flatMap(({ type }) => service.movements.ofType(type));
/** Resolves once there are so many ends of transactions, and no transaction is pending. */
const ended = (count: number) =>
  eventually(async () => {
    expect(ends()).toHaveLength(count);
    expect(await service.movements.part(PendingTransactions).select((rows) => rows)).toEqual([]);
  });
type Policy = typeof WhenTransactionEndedEndTransfer | typeof WhenTransactionEndedSettleCertificate;
/** Withholds the next end of a transaction from the policy. The result resolves once that end is recorded. */
function withholdEndFrom(policy: Policy): () => Promise<void> {
  const count = ends().length;
  const handler = service.movements.part<{ handle: (event: unknown) => Promise<void> }>(policy);
  const lost = jest.spyOn(handler, 'handle').mockResolvedValueOnce(undefined);
  return async () => {
    await ended(count + 1);
    await eventually(() => expect(lost).toHaveBeenCalled());
  };
}

describe('The sweeps of movements whose transaction has ended', () => {
  it('complete a token transfer that did not get the event, once the event is two minutes old', async () => {
    service.fund(1);
    const isWithheld = withholdEndFrom(WhenTransactionEndedEndTransfer);
    const { id } = await service.send(service.request());
    await isWithheld();
    expect(await sweeps.sweep(1)).toBe(0);
    expect((await service.find(id))?.state).toBe('pending');
    expect(await sweeps.sweep()).toBe(1);
    await expect(service.ended(id)).resolves.toMatchObject({ state: 'completed' });
    expect(service.movements.posted).toHaveLength(1);
    expect(await sweeps.sweep()).toBe(0);
  });

  it('fail a token transfer that did not get the event of its revert', async () => {
    service.fund(1);
    service.chains.base.script({ kind: 'revert' });
    const isWithheld = withholdEndFrom(WhenTransactionEndedEndTransfer);
    const { id } = await service.send(service.request());
    await isWithheld();
    expect(await sweeps.sweep()).toBe(1);
    await expect(service.ended(id)).resolves.toMatchObject({ state: 'failed' });
    expect([await sweeps.sweep(), service.movements.holds.size]).toEqual([0, 0]);
  });

  it('complete an NFT transfer that did not get the event', async () => {
    const certificate = await service.movements.minted();
    const isWithheld = withholdEndFrom(WhenTransactionEndedEndTransfer);
    const { id } = await service.movements.transfer(certificate, OUTSIDE);
    await isWithheld();
    expect(await sweeps.sweep()).toBe(1);
    await expect(service.movements.ended(id)).resolves.toMatchObject({ state: 'completed' });
    expect(await sweeps.sweep()).toBe(0);
  });

  it('make a certificate active that did not get the event of its mint', async () => {
    const isWithheld = withholdEndFrom(WhenTransactionEndedSettleCertificate);
    const { id } = await service.movements.issue();
    await isWithheld();
    expect(await sweeps.sweep(1)).toBe(0);
    expect(await sweeps.sweep()).toBe(1);
    await service.movements.standing(id, 'active');
    expect(await sweeps.sweep()).toBe(0);
  });

  it.each(['withdrawal', 'suspense'] as const)('have the ledger handle the end of a %s again', async (kind) => {
    service.fund(1);
    if (kind === 'withdrawal') sweeps.startWithdrawal();
    else sweeps.startSending();
    sweeps.learnsEnds = false;
    await sweeps.sweep();
    await ended(1);
    sweeps.answers = false;
    expect(await sweeps.sweep()).toBe(1);
    sweeps.answers = true;
    expect(await sweeps.sweep()).toBe(1);
    const movementId = kind === 'withdrawal' ? sweeps.withdrawal?.id : sweeps.sending?.movementId;
    expect(sweeps.handled).toEqual([{ movementId, end: ends()[0] }]);
    expect(await sweeps.sweep()).toBe(0);
  });

  it('leave a movement alone whose transaction has not ended', async () => {
    service.chains.base.script({ kind: 'delay', blocks: 10 });
    service.fund(1);
    await service.send(service.request());
    await eventually(() => expect(service.movements.ofType('TransactionSigned')).toHaveLength(1));
    expect([await sweeps.sweep(), ends()]).toEqual([0, []]);
  });
});
