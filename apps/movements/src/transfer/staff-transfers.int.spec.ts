import type { NftTransferFilters, TransferFilters } from '@ponte/contracts';
import { GetAnyNftTransfer, GetAnyTransfer, ListAllNftTransfers, ListAllTransfers } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { OTHER, OWNER, uuid } from '../testing/certificates-under-test';
import { OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';

const NO_NFT_FILTERS: NftTransferFilters = {
  sourceAddress: null,
  targetAddress: null,
  certificateId: null,
  state: null,
  txHash: null,
  externalId: null,
};
const service = TransfersUnderTest.forEachTest();

describe('the transfers that staff see', () => {
  const page = { limit: 2, cursor: null, createdFrom: null, createdTo: null };
  const all = {
    sourceAddress: null,
    targetAddress: null,
    asset: null,
    state: null,
    txHash: null,
    externalId: null,
  } satisfies TransferFilters;
  const list = (
    filters: Partial<TransferFilters> = {},
    accountId: string | null = null,
    at: Partial<typeof page> = {},
  ) =>
    service.movements.bus.request(
      ListAllTransfers,
      { accountId, filters: { ...all, ...filters }, page: { ...page, ...at } },
      service.movements.context(),
    );

  it('are those of every account, newest first, with pages, filters and single reads', async () => {
    service.fund(1);
    const sent: string[] = [];
    for (const externalId of ['one', 'two', 'three']) {
      const payload = service.request({ externalId, amount: externalId === 'one' ? '1' : '2' });
      await service.send(payload);
      sent.push(payload.transferId);
      await service.ended(payload.transferId);
    }
    const [first = '', second = '', third = ''] = sent;
    const newest = await eventually(async () => {
      const found = await list();
      expect(found.items.map(({ id }) => id)).toEqual([third, second]);
      return found;
    });
    const rest = await list({}, null, { cursor: newest.next as never });
    expect([rest.items.map(({ id }) => id), rest.next]).toEqual([[first], null]);
    const ids = async (...parameters: Parameters<typeof list>) => (await list(...parameters)).items.map(({ id }) => id);
    await eventually(async () => expect(await ids({ state: 'completed' })).toEqual([first]));
    expect(await ids({ externalId: 'two' })).toEqual([second]);
    expect(await ids({ txHash: (await service.find(first))?.txHash ?? '' })).toEqual([first]);
    expect(await ids({ asset: 'tempo/brlv' })).toEqual([]);
    expect(await ids({}, OTHER)).toEqual([]);
    const any = (transferId: string) =>
      service.movements.bus.request(GetAnyTransfer, { transferId }, service.movements.context());
    await expect(any(second)).resolves.toMatchObject({ id: second, accountId: OWNER, state: 'failed' });
    await expect(any(uuid())).resolves.toBeNull();
  });

  it('include NFT transfers of every account, with filters and single reads', async () => {
    const certificate = await service.movements.minted();
    const { id } = await service.movements.transfer(certificate, service.target);
    await service.movements.ended(id);
    const context = () => service.movements.context();
    const nfts = async (accountId: string | null, state: 'completed' | 'failed' | null) => {
      const query = { accountId, filters: { ...NO_NFT_FILTERS, state }, page };
      return (await service.movements.bus.request(ListAllNftTransfers, query, context())).items.map((one) => one.id);
    };
    await eventually(async () => expect(await nfts(null, 'completed')).toEqual([id]));
    expect([await nfts(OTHER, null), await nfts(OWNER, null), await nfts(null, 'failed')]).toEqual([[], [id], []]);
    const any = (transferId: string) => service.movements.bus.request(GetAnyNftTransfer, { transferId }, context());
    expect([(await any(id))?.accountId, await any(uuid())]).toEqual([OWNER, null]);
  });

  it('are counted by state in the metrics while they are open', async () => {
    service.fund(2);
    service.chains.base.script({ kind: 'delay', blocks: 1_000 });
    service.movements.outcomes.set(OUTSIDE, 'waits');
    await service.send(service.request({ targetAddress: OUTSIDE }));
    await service.send(service.request());
    await eventually(async () =>
      expect(await service.movements.gauge('ponte_transfers_open')).toEqual({ created: 1, pending: 1 }),
    );
    expect(await service.movements.gauge('ponte_nft_transfers_open')).toEqual({ created: 0, pending: 0 });
  });
});
