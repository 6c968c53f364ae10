import type { PayloadOf } from '@ponte/event-sourcing';
import type { StartedSuspenseSending, WithdrawalRecord } from '@ponte/contracts';
import {
  GetAnyWithdrawal,
  HasSuspenseSendingEnded,
  ListStartedSuspenseSendings,
  ListUnsignedWithdrawals,
} from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { MintCertificateHandler } from '../certificates/mint-certificate.command';
import { SendNftTransferHandler } from '../nft-transfer/send-nft-transfer.command';
import { OWNER, uuid } from '../testing/certificates-under-test';
import { ASSET, OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';
import { SendTransferHandler } from '../transfer/send-transfer.command';
import type { TransferRow } from '../transfer/transfers.read-model';
import { TransferReadModel } from '../transfer/transfers.read-model';
import { RequestMissingMovements } from './request-missing-movements.job';
import { UnsentTransfers } from './unsent-transfers.service';

const MINUTE = 60_000;
const service = TransfersUnderTest.forEachTest();
/** The token withdrawal that is processing, if any. */
let withdrawal: WithdrawalRecord | null;
/** The tokens in suspense that are being sent, if any, and since when. */
let sending: (StartedSuspenseSending & { readonly startedAt: string }) | null;
/** Whether the ledger answers requests about one withdrawal, and whether it lists withdrawals. */
let [answers, lists] = [true, true];
beforeEach(() => {
  [withdrawal, sending, answers, lists] = [null, null, true, true];
  const { bus } = service.movements;
  bus.handle(ListUnsignedWithdrawals.pattern, async (payload) => {
    if (!lists) throw new Unavailable('service-unavailable');
    const { startedBefore, after } = payload as PayloadOf<typeof ListUnsignedWithdrawals>;
    if (!withdrawal || after || withdrawal.stateUpdatedAt > startedBefore) return { withdrawals: [] };
    return { withdrawals: [{ withdrawalId: withdrawal.id, startedAt: withdrawal.stateUpdatedAt }] };
  });
  bus.handle(GetAnyWithdrawal.pattern, async () => {
    if (!answers) throw new Unavailable('service-unavailable');
    return withdrawal;
  });
  bus.handle(ListStartedSuspenseSendings.pattern, async (payload) => {
    const { startedBefore } = payload as PayloadOf<typeof ListStartedSuspenseSendings>;
    return { items: sending && sending.startedAt <= startedBefore ? [sending] : [], next: null };
  });
  bus.handle(HasSuspenseSendingEnded.pattern, async () => ({ ended: false }));
});

const startWithdrawal = () => {
  withdrawal = {
    ...{ id: uuid(), accountId: OWNER, asset: ASSET, amount: '1', method: 'token', state: 'processing' },
    stateUpdatedAt: new Date().toISOString(),
    target: { method: 'token', destinationWalletAddress: OUTSIDE },
  } as WithdrawalRecord;
};

const startSending = () => {
  const movement = { movementId: uuid(), accountId: OWNER, asset: ASSET, amount: '1', destination: OUTSIDE } as const;
  sending = { depositId: uuid(), proposal: 1, ...movement, startedAt: new Date().toISOString() };
};

/** The kinds of resources whose last sweep has failed. */
let failed: string[];
/** Runs the sweeps some minutes from now, and returns how many movements lacked their transaction. */
async function sweep(minutes = 3): Promise<number | undefined> {
  const clock = service.movements.part(CLOCK) as Clock;
  const later = clock.now() + minutes * MINUTE;
  const now = jest.spyOn(clock, 'now').mockReturnValue(later);
  failed = [];
  const job = service.movements.part(RequestMissingMovements);
  for (const one of job.sweeps) await job.sweep(one, service.movements.context()).catch(() => void failed.push(one.of));
  now.mockRestore();
  return service.movements.value('ponte_movements_without_transaction');
}
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
    startWithdrawal();
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
    startSending();
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

  it('finds the other movements if a list cannot be read, and reports what it last found there', async () => {
    startWithdrawal();
    answers = false;
    expect(await sweep()).toBe(1);
    lists = false;
    const lost = jest.spyOn(service.movements.part(SendTransferHandler), 'execute').mockResolvedValueOnce(undefined);
    service.fund(2);
    await service.send(service.request());
    await eventually(() => expect(lost).toHaveBeenCalled());
    startSending();
    expect([await sweep(), intended(), failed]).toEqual([3, 2, ['withdrawals']]);
    expect([await sweep(), intended(), failed]).toEqual([1, 2, ['withdrawals']]);
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
