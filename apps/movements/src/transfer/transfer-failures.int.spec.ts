import { CreateWallet, ListOpenHolds } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { externalIdStream, movementExternalId } from '../external-id/external-id.decider';
import { OTHER, OWNER, uuid } from '../testing/certificates-under-test';
import { codeOf } from '../testing/simulated-chains';
import { saltOf } from '../wallet/wallet.decider';
import { SweepTransferHolds } from '../transfer-holds/sweep-holds.job';
import { ASSET, OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';

const service = TransfersUnderTest.forEachTest();

describe('a token transfer that is reverted on the chain', () => {
  it('fails, releases its hold once, and keeps its external id', async () => {
    service.fund(1);
    service.chains.base.script({ kind: 'revert' });
    const payload = service.request({ externalId: 'invoice-1' });
    await service.send(payload);
    await expect(service.ended(payload.transferId)).resolves.toMatchObject({
      state: 'failed',
      failure: { code: 'transfer-reverted' },
      txHash: expect.stringMatching(/^0x/),
    });
    expect(service.movements.holds.size).toBe(0);
    expect(service.movements.ofType('TransferFailed')).toHaveLength(1);
    expect(await codeOf(service.send(service.request({ externalId: 'invoice-1' })))).toBe('external-id-already-used');
  });

  it('fails with insufficient-balance when the wallet held too little', async () => {
    const payload = service.request();
    await service.send(payload);
    await expect(service.ended(payload.transferId)).resolves.toMatchObject({
      state: 'failed',
      failure: { code: 'insufficient-balance', retryable: false },
    });
    expect(service.movements.holds.size).toBe(0);
  });
});

describe('a token transfer that is refused', () => {
  it('leaves no hold and does not use its external id', async () => {
    service.movements.funded = false;
    expect(await codeOf(service.send(service.request({ externalId: 'invoice-2' })))).toBe('insufficient-balance');
    service.movements.funded = true;
    const again = service.request({ externalId: 'invoice-2' });
    await expect(service.send(again)).resolves.toMatchObject({ id: again.transferId, state: 'created' });
  });

  it('is refused with amount-above-maximum when the signer would never sign it', async () => {
    const refused = service.send(service.request({ amount: '10000000.000000000000000001' }));
    await expect(refused).rejects.toMatchObject({ violations: [{ path: 'amount', code: 'amount-above-maximum' }] });
    expect(service.movements.holds.size).toBe(0);
    await service.send(service.request({ amount: '10000000' }));
  });

  it('takes its external id again when it is repeated with the same key', async () => {
    const first = service.request({ externalId: 'invoice-4' });
    const context = service.movements.context();
    service.movements.funded = false;
    expect(await codeOf(service.send(first, context))).toBe('insufficient-balance');
    service.movements.funded = true;
    await expect(service.send(first, context)).resolves.toMatchObject({ id: first.transferId, state: 'created' });
    const other = service.request({ externalId: 'invoice-4' });
    expect(await codeOf(service.send(other))).toBe('external-id-already-used');
  });

  it('does not keep the external id of an unanswered attempt if it was then created with another one', async () => {
    const first = service.request({ externalId: 'invoice-6' });
    const long = isoTime(Date.now() - 121_000);
    const claim = { accountId: OWNER, resourceId: first.transferId, claimId: uuid(), unused: null, at: long };
    await service.movements.part(Aggregates).handle(
      movementExternalId,
      externalIdStream(OWNER, 'invoice-5'),
      { kind: 'take', ...claim },
      {
        ...service.movements.context(),
        now: () => long,
      },
    );
    await service.send(first);
    const other = service.request({ externalId: 'invoice-5' });
    await expect(service.send(other)).resolves.toMatchObject({ id: other.transferId, state: 'created' });
    expect(await codeOf(service.send(service.request({ externalId: 'invoice-6' })))).toBe('external-id-already-used');
  });

  it('reserves nothing when the account is not active', async () => {
    service.movements.statuses.set(OWNER, 'frozen');
    expect(await codeOf(service.send(service.request({ externalId: 'invoice-3' })))).toBe('account-not-active');
    expect(service.movements.ofType('MovementExternalIdTaken')).toEqual([]);
    expect(service.movements.holds.size).toBe(0);
  });
});

it('a token transfer is returned under its idempotency key although its account was frozen since', async () => {
  const payload = service.request();
  const first = await service.send(payload);
  service.movements.statuses.set(OWNER, 'frozen');
  expect(await service.send(payload)).toEqual(first);
});

it('a token transfer of an account that is frozen before it is sent fails, and its hold is released', async () => {
  service.fund(1);
  service.movements.outcomes.set(OUTSIDE, 'waits');
  const payload = service.request({ targetAddress: OUTSIDE });
  await service.send(payload);
  await eventually(() => expect(service.movements.screened).toContain(OUTSIDE));
  service.movements.statuses.set(OWNER, 'frozen');
  await service.movements.review({ kind: 'transfer', id: payload.transferId }, 'clear');
  await expect(service.ended(payload.transferId)).resolves.toMatchObject({
    state: 'failed',
    failure: { code: 'account-not-active' },
    txHash: null,
  });
  await eventually(() => expect(service.movements.holds.size).toBe(0));
  expect(service.movements.ofType('TransactionIntended')).toEqual([]);
});

/** A transfer that waits for the review of its target, at which another account has created a wallet meanwhile. */
async function waitingForNewWallet() {
  service.fund(1);
  const walletId = uuid();
  const targetAddress = service.chains.open.chains.of('eth-base').evm.walletAddress(saltOf(walletId));
  service.movements.outcomes.set(targetAddress, 'waits');
  const payload = service.request({ targetAddress });
  await service.send(payload);
  await eventually(() => expect(service.movements.screened).toContain(targetAddress));
  const wallet = {
    accountId: OTHER,
    walletId,
    name: 'New',
    chain: 'eth-base',
    metadata: {},
    uiEnabled: false,
  } as const;
  await service.movements.bus.request(CreateWallet, wallet, service.movements.context());
  return { payload, walletId };
}

it('a token transfer whose receiver is closed before it is sent fails, and its hold is released', async () => {
  const { payload } = await waitingForNewWallet();
  service.movements.statuses.set(OTHER, 'closed');
  await service.movements.review({ kind: 'transfer', id: payload.transferId }, 'clear');
  await expect(service.ended(payload.transferId)).resolves.toMatchObject({
    state: 'failed',
    failure: { code: 'invalid-address' },
    txHash: null,
  });
  await eventually(() => expect(service.movements.holds.size).toBe(0));
  expect(service.movements.ofType('TransactionIntended')).toEqual([]);
});

it('a wallet that is created while a transfer waits is credited with the transfer', async () => {
  const { payload, walletId } = await waitingForNewWallet();
  await service.movements.review({ kind: 'transfer', id: payload.transferId }, 'clear');
  await expect(service.ended(payload.transferId)).resolves.toMatchObject({ state: 'completed' });
  const [confirmed] = service.movements.ofType('TransactionConfirmed');
  expect(confirmed?.data).toMatchObject({ purpose: { receiver: { accountId: OTHER, walletId } } });
  expect(service.movements.posted).toMatchObject([
    {
      ...{ movementId: payload.transferId, receiverAccountId: OTHER },
      confirmed: { chain: 'eth-base', purpose: { receiver: { accountId: OTHER, walletId } } },
    },
  ]);
});

it('the sweep releases holds of transfers that were never created, and no others', async () => {
  service.movements.outcomes.set(OUTSIDE, 'waits');
  const payload = service.request({ targetAddress: OUTSIDE });
  await service.send(payload);
  const [kept = ''] = service.movements.holds;
  const [forgotten, transferId] = [uuid(), uuid()];
  service.movements.holds.add(forgotten);
  const queries: PayloadOf<typeof ListOpenHolds>[] = [];
  service.movements.bus.handle(ListOpenHolds.pattern, async (query) => {
    queries.push(query as PayloadOf<typeof ListOpenHolds>);
    const holdRecord = {
      accountId: OWNER,
      asset: ASSET,
      amount: '1.000000000000000000',
      placedAt: '2026-01-01T00:00:00.000Z',
    };
    return {
      holds: [
        { ...holdRecord, holdId: kept, owner: { kind: 'transfer', id: payload.transferId } },
        { ...holdRecord, holdId: forgotten, owner: { kind: 'transfer', id: transferId } },
      ],
    };
  });
  await service.movements.part(SweepTransferHolds).sweep(service.movements.context());
  expect([...service.movements.holds]).toEqual([kept]);
  expect(queries[0]).toMatchObject({ ownerKind: 'transfer' });
  expect(Date.now() - Date.parse(queries[0]?.placedBefore ?? '')).toBeGreaterThanOrEqual(60_000);
  // If the request still runs, it places another hold and never the released one.
  await service.send(service.request({ transferId, targetAddress: OUTSIDE }));
  expect(service.movements.holds.has(forgotten)).toBe(false);
  expect(service.movements.holds.size).toBe(2);
});
