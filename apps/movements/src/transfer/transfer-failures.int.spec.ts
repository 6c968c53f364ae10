import type { CreateTransferPayload, TransferFilters, TransferRecord } from '@ponte/contracts';
import {
  CreateTransfer,
  CreateWallet,
  GetAnyTransfer,
  GetTransfer,
  ListAllTransfers,
  ListOpenHolds,
} from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { MemoryEventStore, MemoryLog, eventually, temporaryFolder } from '@ponte/testing';
import { CertificateWorld, OTHER, OWNER, uuid } from '../adapters/testing/certificate-world';
import { codeOf, simulatedChains } from '../adapters/testing/simulated-chains';
import { saltOf } from '../domain/wallet/wallet';
import { SweepTransferHolds } from './sweep-holds.job';

const ASSET = 'eth-base/brlv';
const OUTSIDE = `0x${'cd'.repeat(20)}`;
let folder: ReturnType<typeof temporaryFolder>;
let movements: CertificateWorld;
let chains: ReturnType<typeof simulatedChains>;
let source: string;
let target: string;

beforeEach(async () => {
  folder = temporaryFolder();
  const log = new MemoryLog();
  chains = simulatedChains();
  movements = await CertificateWorld.start({
    folder: folder.path,
    open: chains.open,
    store: new MemoryEventStore({ log }),
    events: () => log.slice(0, log.length),
  });
  [source = '', target = ''] = await Promise.all([OWNER, OTHER].map((accountId) => movements.wallet(accountId)));
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

const endow = (tokens: number): void => chains.base.endow(ASSET, source as `0x${string}`, BigInt(tokens) * 10n ** 18n);
const request = (more: Partial<CreateTransferPayload> = {}): CreateTransferPayload => ({
  transferId: uuid(),
  callerAccountId: OWNER,
  accountId: OWNER,
  asset: ASSET,
  amount: '1',
  sourceAddress: source,
  targetAddress: target,
  externalId: null,
  bodyHash: 'body',
  ...more,
});
const send = (payload: CreateTransferPayload) => movements.bus.request(CreateTransfer, payload, movements.context());
const find = (transferId: string) =>
  movements.bus.request(GetTransfer, { accountId: OWNER, transferId }, movements.context());
const ended = (transferId: string): Promise<TransferRecord> =>
  eventually(async () => {
    const found = await find(transferId);
    if (found?.state !== 'completed' && found?.state !== 'failed') throw new Error(`the transfer is ${found?.state}`);
    return found;
  });

describe('a token transfer that the chain refuses', () => {
  it('fails, gives its hold back once, and keeps its external id', async () => {
    endow(1);
    chains.base.script({ kind: 'revert' });
    const payload = request({ externalId: 'invoice-1' });
    await send(payload);
    await expect(ended(payload.transferId)).resolves.toMatchObject({
      state: 'failed',
      failure: { code: 'transfer-reverted' },
      txHash: expect.stringMatching(/^0x/),
    });
    expect(movements.holds.size).toBe(0);
    expect(movements.ofType('TransferFailed')).toHaveLength(1);
    expect(await codeOf(send(request({ externalId: 'invoice-1' })))).toBe('external-id-already-used');
  });

  it('says so when the wallet held too little', async () => {
    const payload = request();
    await send(payload);
    await expect(ended(payload.transferId)).resolves.toMatchObject({
      state: 'failed',
      failure: { code: 'insufficient-balance', retryable: false },
    });
    expect(movements.holds.size).toBe(0);
  });
});

describe('a token transfer that is refused', () => {
  it('leaves its external id free, and no hold', async () => {
    movements.funded = false;
    expect(await codeOf(send(request({ externalId: 'invoice-2' })))).toBe('insufficient-balance');
    movements.funded = true;
    const again = request({ externalId: 'invoice-2' });
    await expect(send(again)).resolves.toMatchObject({ id: again.transferId, state: 'created' });
  });

  it('is refused for an account that is not active, before anything is taken', async () => {
    movements.statuses.set(OWNER, 'frozen');
    expect(await codeOf(send(request({ externalId: 'invoice-3' })))).toBe('account-not-active');
    expect(movements.ofType('MovementExternalIdTaken')).toEqual([]);
    expect(movements.holds.size).toBe(0);
  });
});

it('a token transfer of an account that is frozen before it is sent fails, and gives its hold back', async () => {
  endow(1);
  movements.outcomes.set(OUTSIDE, 'waits');
  const payload = request({ targetAddress: OUTSIDE });
  await send(payload);
  await eventually(() => expect(movements.screened).toContain(OUTSIDE));
  movements.statuses.set(OWNER, 'frozen');
  await movements.review({ kind: 'transfer', id: payload.transferId }, 'clear');
  await expect(ended(payload.transferId)).resolves.toMatchObject({
    state: 'failed',
    failure: { code: 'account-not-active' },
    txHash: null,
  });
  expect(movements.holds.size).toBe(0);
  expect(movements.ofType('TransactionIntended')).toEqual([]);
});

it('a wallet that was created while the transfer waited receives it, in the books too', async () => {
  endow(1);
  const walletId = uuid();
  const targetAddress = chains.open.chains.of('eth-base').evm.walletAddress(saltOf(walletId));
  movements.outcomes.set(targetAddress, 'waits');
  const payload = request({ targetAddress });
  await send(payload);
  await eventually(() => expect(movements.screened).toContain(targetAddress));
  const wallet = {
    accountId: OTHER,
    walletId,
    name: 'New',
    chain: 'eth-base',
    metadata: {},
    uiEnabled: false,
  } as const;
  await movements.bus.request(CreateWallet, wallet, movements.context());
  await movements.review({ kind: 'transfer', id: payload.transferId }, 'clear');
  await expect(ended(payload.transferId)).resolves.toMatchObject({ state: 'completed' });
  const [confirmed] = movements.ofType('TransactionConfirmed');
  expect(confirmed?.data).toMatchObject({ purpose: { receiver: { accountId: OTHER, walletId } } });
  expect(movements.posted).toMatchObject([{ movementId: payload.transferId, receiverAccountId: OTHER }]);
});

it('the sweep releases holds of transfers that were never created, and no others', async () => {
  movements.outcomes.set(OUTSIDE, 'waits');
  const payload = request({ targetAddress: OUTSIDE });
  await send(payload);
  const [kept = ''] = movements.holds;
  const [forgotten, transferId] = [uuid(), uuid()];
  movements.holds.add(forgotten);
  const asked: PayloadOf<typeof ListOpenHolds>[] = [];
  movements.bus.handle(ListOpenHolds.pattern, async (query) => {
    asked.push(query as PayloadOf<typeof ListOpenHolds>);
    const held = {
      accountId: OWNER,
      asset: ASSET,
      amount: '1.000000000000000000',
      placedAt: '2026-01-01T00:00:00.000Z',
    };
    return {
      holds: [
        { ...held, holdId: kept, owner: { kind: 'transfer', id: payload.transferId } },
        { ...held, holdId: forgotten, owner: { kind: 'transfer', id: transferId } },
      ],
    };
  });
  await movements.part(SweepTransferHolds).sweep(movements.context());
  expect([...movements.holds]).toEqual([kept]);
  expect(asked[0]).toMatchObject({ ownerKind: 'transfer' });
  expect(Date.now() - Date.parse(asked[0]?.placedBefore ?? '')).toBeGreaterThanOrEqual(60_000);
  // The request itself, should it still be on its way, takes another hold and never the one that was released.
  await send(request({ transferId, targetAddress: OUTSIDE }));
  expect(movements.holds.has(forgotten)).toBe(false);
  expect(movements.holds.size).toBe(2);
});

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
    movements.bus.request(
      ListAllTransfers,
      { accountId, filters: { ...all, ...filters }, page: { ...page, ...at } },
      movements.context(),
    );

  it('are those of every account, newest first, by page, by filter, and one by one', async () => {
    endow(1);
    const sent: string[] = [];
    for (const externalId of ['one', 'two', 'three']) {
      const payload = request({ externalId, amount: externalId === 'one' ? '1' : '2' });
      await send(payload);
      sent.push(payload.transferId);
      await ended(payload.transferId);
    }
    const [first = '', second = '', third = ''] = sent;
    const newest = await eventually(async () => {
      const found = await list();
      expect(found.items.map(({ id }) => id)).toEqual([third, second]);
      return found;
    });
    const rest = await list({}, null, { cursor: newest.next as never });
    expect([rest.items.map(({ id }) => id), rest.next]).toEqual([[first], null]);
    const ids = async (...asked: Parameters<typeof list>) => (await list(...asked)).items.map(({ id }) => id);
    await eventually(async () => expect(await ids({ state: 'completed' })).toEqual([first]));
    expect(await ids({ externalId: 'two' })).toEqual([second]);
    expect(await ids({ txHash: (await find(first))?.txHash ?? '' })).toEqual([first]);
    expect(await ids({ asset: 'tempo/brlv' })).toEqual([]);
    expect(await ids({}, OTHER)).toEqual([]);
    const any = (transferId: string) => movements.bus.request(GetAnyTransfer, { transferId }, movements.context());
    await expect(any(second)).resolves.toMatchObject({ id: second, accountId: OWNER, state: 'failed' });
    await expect(any(uuid())).resolves.toBeNull();
  });

  it('are counted by state while they are open', async () => {
    endow(2);
    chains.base.script({ kind: 'delay', blocks: 1_000 });
    movements.outcomes.set(OUTSIDE, 'waits');
    await send(request({ targetAddress: OUTSIDE }));
    await send(request());
    await eventually(async () =>
      expect(await movements.gauge('ponte_transfers_open')).toEqual({ created: 1, pending: 1 }),
    );
    expect(await movements.gauge('ponte_nft_transfers_open')).toEqual({ created: 0, pending: 0 });
  });
});
