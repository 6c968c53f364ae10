import 'reflect-metadata';
import type { Failure, TransactionGivenUp } from '@ponte/contracts';
import {
  FailSuspenseSending,
  FindAddressHits,
  GetAccountWallets,
  HasSuspenseSendingEnded,
  ProvisionWallets,
  RequestTokenMovement,
  SuspenseSendingStarted,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';

const { open } = movementsForEachTest();
const asset = 'eth-base/usdc';
const accountId = derivedId('account', 'closed');
const depositId = derivedId('deposit', 'one');
const DESTINATION: Hex = `0x${'cd'.repeat(20)}`;
/** Longer than an intent counts as fresh, milliseconds. */
const LATER_MS = 1_500;

let movements: MovementsUnderTest;
/** What was reported to the ledger. */
let reported: Failure[];
/** Proposals that the ledger knows to have ended. */
let ended: number[];
let revision: number;
beforeEach(async () => {
  [reported, ended, revision] = [[], [], -1];
  movements = await open().start();
  movements.bus.handle(HasSuspenseSendingEnded.pattern, async (payload) => ({
    ended: ended.includes((payload as { proposal: number }).proposal),
  }));
  movements.bus.handle(FindAddressHits.pattern, async () => ({ found: [] }));
  movements.bus.handle(FailSuspenseSending.pattern, async (payload) => {
    reported.push((payload as { failure: Failure }).failure);
    return {};
  });
  await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
  movements.statuses.set(accountId, 'closed');
});

/** The wallet of the closed account holds this many units. */
async function holds(units: bigint): Promise<void> {
  const { wallets } = await eventually(async () => {
    const accountWallets = await movements.bus.request(GetAccountWallets, { accountId }, movements.context());
    expect(accountWallets.wallets.length).toBeGreaterThan(0);
    return accountWallets;
  });
  const wallet = wallets.find(({ chain }) => chain === 'eth-base')?.address as Hex;
  movements.base.fund(asset, wallet, units);
  movements.base.mine();
}
/** Appends the event of the ledger. */
async function started(destination: string = DESTINATION, proposal = 1): Promise<void> {
  const commandId = derivedId('start', String(revision));
  const { type, data } = new SuspenseSendingStarted({
    ...{ depositId, proposal, movementId: derivedId('movement', String(proposal)), accountId, asset, destination },
    ...{ amount: '5.000000', confirmedBy: 'second', startedAt: '2026-11-20T12:00:00.000Z' },
  });
  const meta = { commandId, index: 0, count: 1, occurredAt: data.startedAt, correlationId: commandId };
  await movements.store.append(`deposit-${depositId}`, revision, [
    { id: eventId(commandId, 0), type, version: 1, data, meta },
  ]);
  revision += 1;
}
const has = (types: string) => eventually(() => expect(movements.types()).toContain(types));
const arrived = () => movements.base.tokenBalance(asset, DESTINATION);
const later = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, LATER_MS));
  await movements.rounds.pass();
};

describe('Tokens in suspense', () => {
  it('are sent from the wallets of the closed account, once, however often the event is delivered', async () => {
    await holds(7_000_000n);
    await started();
    await started();
    await has('TransactionConfirmed');
    expect(movements.ofType('TransactionConfirmed')[0]?.data).toMatchObject({
      purpose: { owner: { kind: 'suspense', id: depositId }, accountId, to: DESTINATION, receiver: null },
    });
    expect([await arrived(), movements.ofType('TransactionIntended').length, reported]).toEqual([5_000_000n, 1, []]);
  });

  it('are signed although their account is closed, which ends every other movement of the account', async () => {
    await holds(7_000_000n);
    movements.base.setReachable(false);
    await started();
    const id = derivedId('withdrawal', 'one');
    await movements.bus.request(
      RequestTokenMovement,
      {
        ...{ movementId: id, owner: { kind: 'withdrawal', id }, accountId, asset, amount: '1.000000' },
        ...{ destination: DESTINATION, sourceWalletId: null },
      },
      movements.context(),
    );
    await eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(2));
    await later();
    movements.base.setReachable(true);
    await has('TransactionConfirmed');
    await has('TransactionGivenUp');
    const [given] = movements.ofType('TransactionGivenUp').map(({ data }) => data as TransactionGivenUp['data']);
    expect([given?.reason, given?.purpose?.id, await arrived()]).toEqual(['account-not-active', id, 5_000_000n]);
  });

  it('revert if the wallets hold too little: nothing moves', async () => {
    await holds(4_999_999n);
    await started();
    await has('TransactionReverted');
    expect([await arrived(), movements.types().includes('TransactionConfirmed')]).toEqual([0n, false]);
  });

  it('are reported as failed if they would be lost at the address, and are not sent afterwards', async () => {
    await holds(7_000_000n);
    const [house] = movements.base.contracts;
    await started(house);
    await eventually(() => expect(reported.map(({ code }) => code)).toEqual(['invalid-address']));
    expect(movements.types()).not.toContain('TransactionIntended');
  });

  it('are not sent when the event comes again after the proposal has ended', async () => {
    await holds(7_000_000n);
    ended = [1];
    await started();
    await started(DESTINATION, 2);
    await has('TransactionConfirmed');
    expect(await arrived()).toBe(5_000_000n);
    expect(movements.ofType('TransactionIntended')).toHaveLength(1);
  });
});
