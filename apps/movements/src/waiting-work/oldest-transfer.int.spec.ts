import type { Clock } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { SendNftTransferHandler } from '../nft-transfer/send-nft-transfer.command';
import { ASSET, OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';
import { SendTransferHandler } from '../transfer/send-transfer.command';

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
});
