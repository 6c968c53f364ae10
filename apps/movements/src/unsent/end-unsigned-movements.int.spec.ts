import type { AccountStatus, TokenMovementPurpose, TransactionGivenUp, TransactionPurpose } from '@ponte/contracts';
import { GetAnyWithdrawal, ListWithdrawals, WithdrawalProcessingStarted } from '@ponte/contracts';
import type { EventToAppend } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { Unavailable, derivedId } from '@ponte/kernel';
import { OPERATOR_DUTIES } from '@ponte/nest';
import type { OperatorDuty } from '@ponte/operator';
import { OperatorError } from '@ponte/operator';
import { eventually } from '@ponte/testing';
import { OWNER } from '../testing/certificates-under-test';
import { Nonces } from '../sending/nonces.service';
import { TransfersUnderTest, ASSET, OUTSIDE } from '../testing/transfers-under-test';

const service = TransfersUnderTest.forEachTest();
const withdrawals = new Map<string, { id: string; asset: string; state: string }>();
beforeEach(() => {
  withdrawals.clear();
  service.fund(10);
  const { bus } = service.movements;
  // Two in each page, so that pages are followed.
  bus.handle(ListWithdrawals.pattern, async (payload) => {
    const { cursor } = (payload as { page: { cursor: { id: string } | null } }).page;
    const all = [...withdrawals.values()].filter(({ state }) => state === 'processing');
    const from = cursor === null ? 0 : Number(cursor.id);
    return { items: all.slice(from, from + 2), next: from + 2 < all.length ? { id: String(from + 2) } : null };
  });
  bus.handle(
    GetAnyWithdrawal.pattern,
    async (payload) => withdrawals.get((payload as { withdrawalId: string }).withdrawalId) ?? null,
  );
});
afterEach(() => jest.restoreAllMocks());

const set = (status: AccountStatus) => service.movements.statuses.set(OWNER, status);
const endUnsigned = (account = OWNER): Promise<string> => {
  const duties = service.movements.part<Map<string, OperatorDuty>>(OPERATOR_DUTIES, { strict: false });
  return (duties.get('movements end-unsigned') as OperatorDuty).carryOut({ account }, new AbortController().signal);
};
const purposes = (type: string) =>
  service.movements.ofType(type).map(({ data }) => (data as { purpose: TransactionPurpose }).purpose);
/** Nothing is signed until the function that it returns is called. */
const withoutFees = (): (() => void) => {
  const fees = jest.spyOn(service.chains.base, 'feeQuote').mockRejectedValue(new Unavailable('chain-unavailable'));
  return () => fees.mockRestore();
};
const intended = (count: number) =>
  eventually(() => expect(service.movements.ofType('TransactionIntended')).toHaveLength(count));

function started(withdrawalId: string): EventToAppend {
  const [commandId, occurredAt] = [derivedId('start', withdrawalId), new Date().toISOString()];
  const { type, data } = new WithdrawalProcessingStarted({
    withdrawalId,
    accountId: OWNER,
    method: 'token',
    asset: ASSET,
    amount: '1.000000000000000000',
    holdId: derivedId('hold', withdrawalId),
    destinationWalletAddress: OUTSIDE,
    startedAt: occurredAt,
  });
  const meta = { commandId, index: 0, count: 1, occurredAt, correlationId: commandId };
  return { id: eventId(commandId, 0), type, version: 1, data, meta };
}
const request = (withdrawalId: string) =>
  service.movements.store.append(`withdrawal-${withdrawalId}`, -1, [started(withdrawalId)]);
/** The ledger begins to process a withdrawal. The event arrives with {@link request}. */
const process = (name: string): string => {
  const id = derivedId('withdrawal', name);
  withdrawals.set(id, { id, asset: ASSET, state: 'processing' });
  return id;
};

describe('movements end-unsigned', () => {
  it('ends the transfers and token withdrawals of a frozen account that wait unsigned, and nothing is sent later', async () => {
    const sendAgain = withoutFees();
    const { id: transfer } = await service.send(service.request({ targetAddress: OUTSIDE }));
    const paid = ['one', 'two', 'three'].map(process);
    for (const id of paid) await request(id);
    await intended(4);
    set('frozen');
    const detail = await endUnsigned();
    expect(detail.split('\n')).toEqual([
      `transfer ${transfer} is given up: it fails as soon as its event is handled`,
      ...paid.map((id) => `withdrawal ${id} is given up: it is rolled back as soon as its event is handled`),
    ]);
    expect(await service.ended(transfer)).toMatchObject({
      state: 'failed',
      txHash: null,
      failure: { code: 'account-not-active' },
    });
    await eventually(() => expect(service.movements.holds.size).toBe(0));
    const given = service.movements.ofType('TransactionGivenUp').map(({ data }) => data as TransactionGivenUp['data']);
    expect(given.map(({ reason }) => reason)).toEqual(Array(4).fill('account-not-active'));
    expect(purposes('TransactionGivenUp').map((one) => (one as TokenMovementPurpose).owner)).toEqual([
      { kind: 'transfer', id: transfer },
      ...paid.map((id) => ({ kind: 'withdrawal', id })),
    ]);
    for (const id of paid) withdrawals.set(id, { id, asset: ASSET, state: 'rolled-back' });
    expect(await endUnsigned()).toBe(`account ${OWNER} has no open transfer, NFT transfer or token withdrawal`);
    sendAgain();
    set('active');
    const next = await service.send(service.request({ targetAddress: OUTSIDE }));
    expect(await service.ended(next.id)).toMatchObject({ state: 'completed' });
    expect(service.movements.ofType('TransactionSigned')).toHaveLength(1);
  });

  it('ends a withdrawal whose event is still on its way, which is given up as soon as it is requested', async () => {
    const id = process('on its way');
    set('frozen');
    expect(await endUnsigned()).toContain(`withdrawal ${id} is given up`);
    await request(id);
    await eventually(() =>
      expect(purposes('TransactionGivenUp')).toMatchObject([{ id, owner: { kind: 'withdrawal', id } }]),
    );
    expect(service.movements.ofType('TransactionSigned')).toEqual([]);
  });

  it('leaves a transfer that is signed, and names it', async () => {
    service.chains.base.setReachable(true);
    jest.spyOn(service.chains.base, 'broadcast').mockResolvedValue({ outcome: 'unknown', message: 'not sent' });
    const { id } = await service.send(service.request({ targetAddress: OUTSIDE }));
    await eventually(() => expect(service.movements.ofType('TransactionSigned')).toHaveLength(1));
    set('frozen');
    expect(await endUnsigned()).toBe(`transfer ${id} is being sent: wait until it ends`);
    jest.restoreAllMocks();
    expect(await service.ended(id)).toMatchObject({ state: 'completed' });
    expect(service.movements.ofType('TransactionGivenUp')).toEqual([]);
  });

  it('does not end a transfer that gets its nonce first, which completes', async () => {
    const { part } = service.movements;
    const nonces = part<Nonces>(Nonces, { strict: false });
    const allocate = nonces.allocate.bind(nonces);
    let detail = '';
    jest.spyOn(nonces, 'allocate').mockImplementationOnce(async (...all) => {
      const allocated = await allocate(...all);
      set('frozen');
      detail = await endUnsigned();
      return allocated;
    });
    const { id } = await service.send(service.request({ targetAddress: OUTSIDE }));
    expect(await service.ended(id)).toMatchObject({ state: 'completed' });
    expect(detail).toBe(`transfer ${id} is being sent: wait until it ends`);
    expect(service.movements.ofType('TransactionGivenUp')).toEqual([]);
  });

  it('ends a transfer that is about to get its nonce, which is then never signed', async () => {
    const nonces = service.movements.part<Nonces>(Nonces, { strict: false });
    const allocate = nonces.allocate.bind(nonces);
    let detail = '';
    jest.spyOn(nonces, 'allocate').mockImplementationOnce(async (...all) => {
      set('frozen');
      detail = await endUnsigned();
      return allocate(...all);
    });
    const { id } = await service.send(service.request({ targetAddress: OUTSIDE }));
    expect(await service.ended(id)).toMatchObject({ state: 'failed', failure: { code: 'account-not-active' } });
    expect(detail).toContain(`transfer ${id} is given up`);
    expect(service.movements.ofType('TransactionSigned')).toEqual([]);
    expect(service.movements.ofType('TransactionGivenUp')).toHaveLength(1);
  });

  it('continues where it was interrupted', async () => {
    withoutFees();
    const { id } = await service.send(service.request({ targetAddress: OUTSIDE }));
    await intended(1);
    set('frozen');
    service.movements.store.faults.next({
      kind: 'refuse',
      match: (_, events) => events.some(({ type }) => type === 'TransactionGivenUp'),
    });
    await expect(endUnsigned()).rejects.toThrow();
    expect(await service.find(id)).toMatchObject({ state: 'created' });
    expect(await endUnsigned()).toContain(`transfer ${id} is given up`);
    expect(await service.ended(id)).toMatchObject({ state: 'failed' });
  });

  it('leaves a transfer without a transaction, whose address is under review', async () => {
    service.movements.outcomes.set(OUTSIDE, 'waits');
    const { id } = await service.send(service.request({ targetAddress: OUTSIDE }));
    await eventually(() => expect(service.movements.screened).toContain(OUTSIDE));
    set('frozen');
    expect(await endUnsigned()).toContain(`transfer ${id} has no transaction`);
    expect(service.movements.ofType('TransactionRefused')).toEqual([]);
    await service.movements.review({ kind: 'transfer', id }, 'clear');
    expect(await service.ended(id)).toMatchObject({ state: 'failed', failure: { code: 'account-not-active' } });
  });

  it.each(['active', 'closed'] as const)('refuses an account that is %s', async (status) => {
    withoutFees();
    await service.send(service.request({ targetAddress: OUTSIDE }));
    await intended(1);
    set(status);
    await expect(endUnsigned()).rejects.toThrow(new OperatorError(`account ${OWNER} is ${status}, not frozen`));
    await expect(endUnsigned('no-such-account')).rejects.toThrow('is unknown, not frozen');
    expect(service.movements.ofType('TransactionRefused')).toEqual([]);
  });
});
