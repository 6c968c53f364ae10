import 'reflect-metadata';
import type { TokenMovementPurpose } from '@ponte/contracts';
import {
  GetBalance,
  GetTrialBalance,
  ListDeposits,
  PlaceHold,
  PostTokenMovement,
  TransactionConfirmed,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { movementDepositIdOf } from '../deposit/deposit.state';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { tokenWithdrawalsOf } from '../testing/token-withdrawals';

const ledger = ledgerForEachTest({ booksBalance: true });

const AMOUNT = '5.000000000000000000';
const movement = derivedId('movement', 'one');
const purpose = (more: Partial<TokenMovementPurpose> = {}): TokenMovementPurpose => ({
  kind: 'token-movement',
  id: movement,
  owner: { kind: 'withdrawal', id: movement },
  accountId: 'sender',
  asset: 'eth-base/brlv',
  amount: AMOUNT,
  walletIds: ['w'],
  from: '0x1',
  to: '0x2',
  receiver: { accountId: ACCOUNT, parentId: null, walletId: 'w2' },
  ...more,
});

/** Appends the event of a confirmed and final movement, as the movements service does. */
async function confirmed(of: TokenMovementPurpose): Promise<void> {
  const stream = `chainTransaction-${derivedId('tx', of.id, String(of.receiver?.accountId))}`;
  const { type, data } = new TransactionConfirmed({
    transactionId: 't',
    chain: 'eth-base',
    purpose: of,
    txHash: '0xa',
    blockNumber: '1',
    blockHash: '0xb',
    minedAt: '2026-11-20T12:00:00.000Z',
    confirmedAt: '2026-11-20T12:00:00.000Z',
    from: '0xf',
    nonce: 0,
    final: true,
  });
  const meta = { commandId: stream, index: 0, count: 1, occurredAt: '2026-11-20T12:00:00.000Z', correlationId: stream };
  await ledger.store.append(stream, -1, [{ id: eventId(stream, 0), type, version: 1, data, meta }]);
}

const deposits = async (accountId = ACCOUNT) =>
  (
    await ledger.ask(ListDeposits, {
      accountId,
      filters: { assets: ['eth-base/brlv'], status: null, type: 'token', endToEndId: null, txHash: '0xa' },
      page: { limit: 10, cursor: null, createdFrom: null, createdTo: null },
    })
  ).items;
const running = async () => (await ledger.ask(GetBalance, { accountId: ACCOUNT, assets: ['eth-base/brlv'] })).running;

describe('Tokens moved by another Ponte account', () => {
  it('are deposited once to the receiver, for every kind of sender', async () => {
    await confirmed(purpose());
    await eventually(async () =>
      expect(await deposits()).toMatchObject([
        {
          id: movementDepositIdOf(movement),
          type: 'token',
          amount: AMOUNT,
          status: 'credited',
          endToEndId: null,
          coordinates: {
            sourceChain: 'eth-base',
            sourceAddress: '0x1',
            targetAddress: '0x2',
            txHash: '0xa',
            movementId: movement,
          },
        },
      ]),
    );
    await expect(running()).resolves.toBe(AMOUNT);
    expect(await ledger.types('deposit-')).toEqual(['DepositCreated', 'DepositConfirmed', 'DepositCredited']);
  });

  it('are credited from outside our custody if the treasury paid them for an order, where the exchange posted them', async () => {
    await confirmed(purpose({ owner: { kind: 'order', id: 'o' } }));
    await eventually(async () => expect(await running()).toBe(AMOUNT));
    // The trial balance follows the log with a short delay.
    await eventually(async () => {
      const { lines } = await ledger.ask(GetTrialBalance, { customers: false });
      expect(lines.filter(({ asset }) => asset === 'eth-base/brlv')).toEqual([
        { account: 'house:external', asset: 'eth-base/brlv', amount: `-${AMOUNT}` },
      ]);
    });
  });

  it('are not a deposit if they go to an address outside or to the sending account itself', async () => {
    await confirmed(purpose({ receiver: null }));
    await confirmed(
      purpose({
        id: derivedId('movement', 'own'),
        accountId: ACCOUNT,
        receiver: { accountId: ACCOUNT, parentId: null, walletId: 'w2' },
      }),
    );
    await confirmed(purpose({ id: derivedId('movement', 'last') }));
    await eventually(async () => expect(await running()).toBe(AMOUNT));
    await expect(deposits()).resolves.toHaveLength(1);
  });

  it.each([
    ['once', false],
    ['once, if the event of their transaction arrives too', true],
  ])('are deposited by the request that posts them for a transfer, %s', async (_times, arrives) => {
    await tokenWithdrawalsOf(ledger).fund();
    const accountId = derivedId('account', 'receiver');
    ledger.status.set(accountId, 'active');
    const owner = { kind: 'transfer', id: movement } as const;
    const moved = { asset: 'eth-base/brlv', amount: AMOUNT } as const;
    const receiver = { accountId, parentId: null, walletId: 'w2' };
    const of = purpose({ owner, accountId: ACCOUNT, receiver });
    await ledger.ask(PlaceHold, { accountId: ACCOUNT, hold: { holdId: movement, owner, ...moved } });
    const request = {
      ...{ accountId: ACCOUNT, movementId: movement, owner, holdId: movement, debit: moved },
      ...{ receiverAccountId: accountId },
      confirmed: { purpose: of, chain: 'eth-base', txHash: '0xa', minedAt: '2026-11-20T12:00:00.000Z' },
    } as const;
    await ledger.ask(PostTokenMovement, request);
    await ledger.ask(PostTokenMovement, request);
    if (arrives) await confirmed(of);
    await eventually(async () => expect(await deposits(accountId)).toMatchObject([{ status: 'credited' }]));
    const types = ['DepositCreated', 'DepositConfirmed', 'DepositCredited'];
    expect(await ledger.types(`deposit-${movementDepositIdOf(movement)}`)).toEqual(types);
  });

  it('stay confirmed while the account is frozen, and are credited when it is active again', async () => {
    ledger.status.set(ACCOUNT, 'frozen');
    await confirmed(purpose());
    await eventually(async () => expect(await deposits()).toMatchObject([{ status: 'confirmed', processedAt: null }]));
    await ledger.tick();
    await expect(running()).resolves.toBe('0.000000000000000000');
    ledger.status.set(ACCOUNT, 'active');
    await ledger.tick();
    await eventually(async () => expect(await deposits()).toMatchObject([{ status: 'credited' }]));
    await expect(running()).resolves.toBe(AMOUNT);
  });
});
