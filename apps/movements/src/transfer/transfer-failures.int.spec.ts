import { CreateWallet, ListOpenHolds } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { OTHER, OWNER, uuid } from '../testing/certificate-world';
import { codeOf } from '../testing/simulated-chains';
import { saltOf } from '../wallet/wallet.decider';
import { SweepTransferHolds } from './sweep-holds.job';
import { ASSET, OUTSIDE, TransferWorld } from '../testing/transfer-world';

const world = TransferWorld.forEachTest();

describe('a token transfer that the chain refuses', () => {
  it('fails, gives its hold back once, and keeps its external id', async () => {
    world.endow(1);
    world.chains.base.script({ kind: 'revert' });
    const payload = world.request({ externalId: 'invoice-1' });
    await world.send(payload);
    await expect(world.ended(payload.transferId)).resolves.toMatchObject({
      state: 'failed',
      failure: { code: 'transfer-reverted' },
      txHash: expect.stringMatching(/^0x/),
    });
    expect(world.movements.holds.size).toBe(0);
    expect(world.movements.ofType('TransferFailed')).toHaveLength(1);
    expect(await codeOf(world.send(world.request({ externalId: 'invoice-1' })))).toBe('external-id-already-used');
  });

  it('says so when the wallet held too little', async () => {
    const payload = world.request();
    await world.send(payload);
    await expect(world.ended(payload.transferId)).resolves.toMatchObject({
      state: 'failed',
      failure: { code: 'insufficient-balance', retryable: false },
    });
    expect(world.movements.holds.size).toBe(0);
  });
});

describe('a token transfer that is refused', () => {
  it('leaves its external id free, and no hold', async () => {
    world.movements.funded = false;
    expect(await codeOf(world.send(world.request({ externalId: 'invoice-2' })))).toBe('insufficient-balance');
    world.movements.funded = true;
    const again = world.request({ externalId: 'invoice-2' });
    await expect(world.send(again)).resolves.toMatchObject({ id: again.transferId, state: 'created' });
  });

  it('is refused for an account that is not active, before anything is taken', async () => {
    world.movements.statuses.set(OWNER, 'frozen');
    expect(await codeOf(world.send(world.request({ externalId: 'invoice-3' })))).toBe('account-not-active');
    expect(world.movements.ofType('MovementExternalIdTaken')).toEqual([]);
    expect(world.movements.holds.size).toBe(0);
  });
});

it('a token transfer of an account that is frozen before it is sent fails, and gives its hold back', async () => {
  world.endow(1);
  world.movements.outcomes.set(OUTSIDE, 'waits');
  const payload = world.request({ targetAddress: OUTSIDE });
  await world.send(payload);
  await eventually(() => expect(world.movements.screened).toContain(OUTSIDE));
  world.movements.statuses.set(OWNER, 'frozen');
  await world.movements.review({ kind: 'transfer', id: payload.transferId }, 'clear');
  await expect(world.ended(payload.transferId)).resolves.toMatchObject({
    state: 'failed',
    failure: { code: 'account-not-active' },
    txHash: null,
  });
  await eventually(() => expect(world.movements.holds.size).toBe(0));
  expect(world.movements.ofType('TransactionIntended')).toEqual([]);
});

it('a wallet that was created while the transfer waited receives it, in the books too', async () => {
  world.endow(1);
  const walletId = uuid();
  const targetAddress = world.chains.open.chains.of('eth-base').evm.walletAddress(saltOf(walletId));
  world.movements.outcomes.set(targetAddress, 'waits');
  const payload = world.request({ targetAddress });
  await world.send(payload);
  await eventually(() => expect(world.movements.screened).toContain(targetAddress));
  const wallet = {
    accountId: OTHER,
    walletId,
    name: 'New',
    chain: 'eth-base',
    metadata: {},
    uiEnabled: false,
  } as const;
  await world.movements.bus.request(CreateWallet, wallet, world.movements.context());
  await world.movements.review({ kind: 'transfer', id: payload.transferId }, 'clear');
  await expect(world.ended(payload.transferId)).resolves.toMatchObject({ state: 'completed' });
  const [confirmed] = world.movements.ofType('TransactionConfirmed');
  expect(confirmed?.data).toMatchObject({ purpose: { receiver: { accountId: OTHER, walletId } } });
  expect(world.movements.posted).toMatchObject([{ movementId: payload.transferId, receiverAccountId: OTHER }]);
});

it('the sweep releases holds of transfers that were never created, and no others', async () => {
  world.movements.outcomes.set(OUTSIDE, 'waits');
  const payload = world.request({ targetAddress: OUTSIDE });
  await world.send(payload);
  const [kept = ''] = world.movements.holds;
  const [forgotten, transferId] = [uuid(), uuid()];
  world.movements.holds.add(forgotten);
  const asked: PayloadOf<typeof ListOpenHolds>[] = [];
  world.movements.bus.handle(ListOpenHolds.pattern, async (query) => {
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
  await world.movements.part(SweepTransferHolds).sweep(world.movements.context());
  expect([...world.movements.holds]).toEqual([kept]);
  expect(asked[0]).toMatchObject({ ownerKind: 'transfer' });
  expect(Date.now() - Date.parse(asked[0]?.placedBefore ?? '')).toBeGreaterThanOrEqual(60_000);
  // The request itself, should it still be on its way, takes another hold and never the one that was released.
  await world.send(world.request({ transferId, targetAddress: OUTSIDE }));
  expect(world.movements.holds.has(forgotten)).toBe(false);
  expect(world.movements.holds.size).toBe(2);
});
