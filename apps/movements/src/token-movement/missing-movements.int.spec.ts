import type { WithdrawalRecord } from '@ponte/contracts';
import { GetAnyWithdrawal, ListAllWithdrawals } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { SendNftTransferHandler } from '../nft-transfer/send-nft-transfer.command';
import { OWNER, uuid } from '../testing/certificates-under-test';
import { ASSET, OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';
import { SendTransferHandler } from '../transfer/send-transfer.command';
import type { TransferRow } from '../transfer/transfers.read-model';
import { TransferReadModel } from '../transfer/transfers.read-model';
import { RequestMissingMovements } from './request-missing-movements.job';
import { UnsentTransfers } from './unsent-transfers';

const MINUTE = 60_000;
const service = TransfersUnderTest.forEachTest();
/** The token withdrawal that is processing, if any. */
let withdrawal: WithdrawalRecord | null;
/** Whether the ledger answers requests for it. */
let answers: boolean;
beforeEach(() => {
  [withdrawal, answers] = [null, true];
  service.movements.bus.handle(ListAllWithdrawals.pattern, async () => ({
    items: withdrawal ? [withdrawal] : [],
    next: null,
  }));
  service.movements.bus.handle(GetAnyWithdrawal.pattern, async () => {
    if (!answers) throw new Unavailable('service-unavailable');
    return withdrawal;
  });
});

const startWithdrawal = () => {
  withdrawal = {
    ...{ id: uuid(), accountId: OWNER, asset: ASSET, amount: '1', method: 'token', state: 'processing' },
    stateUpdatedAt: new Date().toISOString(),
    target: { method: 'token', destinationWalletAddress: OUTSIDE },
  } as WithdrawalRecord;
};

/** Runs the sweep some minutes from now, and returns how many movements lacked their transaction. */
async function sweep(minutes = 3): Promise<number | undefined> {
  const clock = service.movements.part(CLOCK) as Clock;
  const later = clock.now() + minutes * MINUTE;
  const now = jest.spyOn(clock, 'now').mockReturnValue(later);
  await service.movements.part(RequestMissingMovements).sweep(service.movements.context());
  now.mockRestore();
  return service.movements.value('ponte_movements_without_transaction');
}
const intended = () => service.movements.ofType('TransactionIntended').length;

describe('The sweep of missing movements', () => {
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
    startWithdrawal();
    expect([await sweep(1), intended()]).toEqual([0, 0]);
    expect([await sweep(), intended()]).toEqual([1, 1]);
    expect([await sweep(), intended()]).toEqual([0, 1]);
  });

  it('reports a movement until it can be requested', async () => {
    startWithdrawal();
    answers = false;
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(1);
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
  const unsent = service.movements.part(UnsentTransfers);
  for (const [id, created_at] of Object.entries(times)) await table.put({ ...created, id, created_at } as TransferRow);
  for (const limit of [1, 2, 3, 4, 5]) {
    const pages: (readonly string[])[] = [];
    for await (const ids of unsent.pages('transfers', '2026-01-04', limit)) pages.push(ids);
    expect(pages.flat()).toEqual(['d', 'b', 'c', 'a']);
    expect(pages[0]).toHaveLength(Math.min(limit, 4));
  }
});
