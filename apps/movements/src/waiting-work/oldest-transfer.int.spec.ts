import { AccountFrozen, AccountReleased } from '@ponte/contracts';
import { systemContext, toAppend } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, IDS } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { SendNftTransferHandler } from '../nft-transfer/send-nft-transfer.command';
import { OWNER } from '../testing/simulated-services';
import { ASSET, OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';
import { SendTransferHandler } from '../transfer/send-transfer.command';
import { TransferReadModel } from '../transfer/transfers.read-model';
import { MovementDecisions } from './movement-decisions.read-model';

const HOUR = 3_600_000;
const service = TransfersUnderTest.forEachTest();

/** The ages of the oldest open transfers an hour from now, in hours. */
async function ages() {
  const clock = service.movements.part(CLOCK) as Clock;
  const later = clock.now() + HOUR;
  const now = jest.spyOn(clock, 'now').mockReturnValue(later);
  const { token = -1, nft = -1 } = await service.movements.gauge('ponte_transfer_oldest_seconds');
  now.mockRestore();
  return { token: Math.round(token / 3_600), nft: Math.round(nft / 3_600) };
}

describe('The oldest open transfer in the metrics', () => {
  it('is one that was never sent, and none once it has ended', async () => {
    service.fund(1);
    const { part } = service.movements;
    const lost = jest.spyOn(part(SendTransferHandler), 'execute').mockResolvedValueOnce(undefined);
    await service.send(service.request({ asset: ASSET }));
    await eventually(async () => expect(await ages()).toEqual({ token: 1, nft: 0 }));
    expect(lost).toHaveBeenCalled();
    const { id } = await service.send(service.request());
    await service.ended(id);
    expect(await ages()).toEqual({ token: 1, nft: 0 });
  });

  it('is an NFT transfer that was never sent', async () => {
    const certificate = await service.movements.minted();
    jest.spyOn(service.movements.part(SendNftTransferHandler), 'execute').mockResolvedValueOnce(undefined);
    await service.movements.transfer(certificate, OUTSIDE);
    await eventually(async () => expect(await ages()).toEqual({ token: 0, nft: 1 }));
  });

  it('leaves out one that waits for the review of its target', async () => {
    service.fund(1);
    const request = service.request({ targetAddress: OUTSIDE });
    service.movements.outcomes.set(OUTSIDE, 'waits');
    await service.movements.openReview({ kind: 'transfer', id: request.transferId }, OUTSIDE);
    await service.send(request);
    await eventually(async () =>
      expect(await service.movements.gauge('ponte_transfers_open')).toMatchObject({ created: 1 }),
    );
    expect(await ages()).toEqual({ token: 0, nft: 0 });
  });

  it('leaves out one that was not sent when its account was frozen, but not one that was sent before', async () => {
    const { part } = service.movements;
    jest.spyOn(part(SendTransferHandler), 'execute').mockResolvedValueOnce(undefined);
    service.fund(1);
    const { id } = await service.send(service.request());
    const row = await eventually(async () => (await part(TransferReadModel).table.get(id)) ?? Promise.reject(id));
    const frozenAt = isoTime((part(CLOCK) as Clock).now());
    const byStaff = { evidence: null, requestedBy: 'one', confirmedBy: 'two' } as const;
    const frozen = new AccountFrozen({ accountId: OWNER, reason: 'court-order', ...byStaff, frozenAt });
    const events = toAppend([frozen], [AccountFrozen], systemContext(part(IDS) as Ids, 'staff'), frozenAt);
    await service.store.append(`account-${OWNER}`, -1, events);
    await eventually(async () => expect(await part(MovementDecisions).select((rows) => rows)).toHaveLength(1));
    expect(await ages()).toEqual({ token: 0, nft: 0 });
    const pending = { ...row, revision: row.revision + 1, state: 'pending' as const };
    await part(TransferReadModel).table.put(pending);
    expect(await ages()).toEqual({ token: 1, nft: 0 });
    // A release after it was signed does not begin its age again.
    const releasedAt = isoTime(Date.parse(frozenAt) + 0.9 * HOUR);
    const released = new AccountReleased({ accountId: OWNER, reason: 'resolved', ...byStaff, releasedAt });
    const next = toAppend([released], [AccountReleased], systemContext(part(IDS) as Ids, 'staff'), releasedAt);
    await service.store.append(`account-${OWNER}`, 0, next);
    await eventually(async () =>
      expect(await part(MovementDecisions).select((rows) => rows)).toMatchObject([{ made_at: releasedAt }]),
    );
    expect(await ages()).toEqual({ token: 1, nft: 0 });
    // Neither does a fee that is raised after the release.
    const raisedAt = isoTime(Date.parse(frozenAt) + 0.95 * HOUR);
    const record = { ...row.record, signedAt: row.record.createdAt, stateUpdatedAt: raisedAt };
    await part(TransferReadModel).table.put({ ...pending, revision: pending.revision + 1, record });
    expect(await ages()).toEqual({ token: 1, nft: 0 });
  });
});
