import { eventually } from '@ponte/testing';
import { MintCertificateHandler } from '../certificates/mint-certificate.command';
import { SendNftTransferHandler } from '../nft-transfer/send-nft-transfer.command';
import { OWNER } from '../testing/certificates-under-test';
import { ASSET, OUTSIDE } from '../testing/transfers-under-test';
import { SendTransferHandler } from '../transfer/send-transfer.command';
import type { TransferRow } from '../transfer/transfers.read-model';
import { TransferReadModel } from '../transfer/transfers.read-model';
import { SweepsUnderTest } from './missing-movements.testing';
import { UnfinishedTransfers } from './unfinished-transfers.service';

const sweeps = SweepsUnderTest.forEachTest();
const { service } = sweeps;
const sweep = (minutes?: number) => sweeps.sweep(minutes);
const intended = () => service.movements.ofType('TransactionIntended').length;

describe('The sweeps of missing movements', () => {
  it('sends a token transfer whose event was lost, once it is two minutes old', async () => {
    service.fund(1);
    const lost = jest.spyOn(service.movements.part(SendTransferHandler), 'execute').mockResolvedValueOnce(undefined);
    const { id } = await service.send(service.request());
    await eventually(() => expect(lost).toHaveBeenCalled());
    expect([await sweep(1), intended()]).toEqual([0, 0]);
    expect(await sweep()).toBe(1);
    await expect(service.ended(id)).resolves.toMatchObject({ state: 'completed' });
    expect([await sweep(), intended()]).toEqual([0, 1]);
  });

  it('sends an NFT transfer whose event was lost', async () => {
    const certificate = await service.movements.minted();
    const lost = jest.spyOn(service.movements.part(SendNftTransferHandler), 'execute').mockResolvedValueOnce(undefined);
    const { id } = await service.movements.transfer(certificate, OUTSIDE);
    await eventually(() => expect(lost).toHaveBeenCalled());
    expect(await sweep()).toBe(1);
    await expect(service.movements.ended(id)).resolves.toMatchObject({ state: 'completed' });
    expect(await sweep()).toBe(0);
  });

  it('sends a token withdrawal whose event was lost, once it has been processing for two minutes', async () => {
    service.fund(1);
    sweeps.startWithdrawal();
    expect([await sweep(1), intended()]).toEqual([0, 0]);
    expect([await sweep(), intended()]).toEqual([1, 1]);
    expect([await sweep(), intended()]).toEqual([0, 1]);
  });

  it('mints a certificate whose event was lost', async () => {
    const lost = jest.spyOn(service.movements.part(MintCertificateHandler), 'execute').mockResolvedValueOnce(undefined);
    const { id } = await service.movements.issue();
    await eventually(() => expect(lost).toHaveBeenCalled());
    expect([await sweep(1), intended()]).toEqual([0, 0]);
    expect([await sweep(), intended()]).toEqual([1, 1]);
    await service.movements.standing(id, 'active');
    expect([await sweep(), intended()]).toEqual([0, 1]);
  });

  it('sends tokens in suspense whose event was lost', async () => {
    service.fund(1);
    sweeps.startSending();
    expect([await sweep(1), intended()]).toEqual([0, 0]);
    expect([await sweep(), intended()]).toEqual([1, 1]);
    expect([await sweep(), intended()]).toEqual([0, 1]);
  });

  it('reports a movement until it can be requested', async () => {
    sweeps.startWithdrawal();
    sweeps.answers = false;
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(1);
  });

  it('finds the other movements if a list cannot be read, and reports what it last found there', async () => {
    sweeps.startWithdrawal();
    sweeps.answers = false;
    expect(await sweep()).toBe(1);
    sweeps.lists = false;
    const lost = jest.spyOn(service.movements.part(SendTransferHandler), 'execute').mockResolvedValueOnce(undefined);
    service.fund(2);
    await service.send(service.request());
    await eventually(() => expect(lost).toHaveBeenCalled());
    sweeps.startSending();
    expect([await sweep(), intended(), sweeps.failed]).toEqual([3, 2, ['withdrawals']]);
    expect([await sweep(), intended(), sweeps.failed]).toEqual([1, 2, ['withdrawals']]);
  });

  it('leaves a transfer alone that waits for the review of its target', async () => {
    service.fund(1);
    const request = service.request({ targetAddress: OUTSIDE });
    service.movements.outcomes.set(OUTSIDE, 'waits');
    await service.movements.openReview({ kind: 'transfer', id: request.transferId }, OUTSIDE);
    await service.send(request);
    await eventually(() => expect(service.movements.screened).toEqual([OUTSIDE]));
    expect(await sweep()).toBe(0);
    expect(service.movements.screened).toEqual([OUTSIDE]);
  });
});

it('Transfers without a transaction are found page by page, oldest first', async () => {
  const row = {
    revision: 0,
    account_id: OWNER,
    source_address: '',
    target_address: OUTSIDE,
    state: 'created',
  } as const;
  const created = { ...row, tx_hash: null, external_id: null, unfinished: 1, asset: ASSET, record: {} } as const;
  const times = { d: '2026-01-01', b: '2026-01-02', c: '2026-01-02', a: '2026-01-03', late: '2026-01-05' };
  const { table } = service.movements.part(TransferReadModel);
  const unfinished = service.movements.part(UnfinishedTransfers);
  for (const [id, created_at] of Object.entries(times)) await table.put({ ...created, id, created_at } as TransferRow);
  for (const limit of [1, 2, 3, 4, 5]) {
    const pages: (readonly string[])[] = [];
    for await (const ids of unfinished.pages('transfers', '2026-01-04', limit)) pages.push(ids);
    expect(pages.flat()).toEqual(['d', 'b', 'c', 'a']);
    expect(pages[0]).toHaveLength(Math.min(limit, 4));
  }
});
