import type { TokenMovementPurpose, TransactionEnd } from '@ponte/contracts';
import { HandleTransactionEnd, ListDeposits, TransactionConfirmed, TransactionReverted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { FUNDS, tokenWithdrawalsOf } from '../testing/token-withdrawals';

const AT = '2026-11-20T12:00:00.000Z';
const RECEIVER = { accountId: derivedId('account', 'receiver'), parentId: null, walletId: 'w2' };
const ledger = ledgerForEachTest({ booksBalance: true });
const { fund, withdraw, available } = tokenWithdrawalsOf(ledger);

/** A started token withdrawal of 1 token. */
async function start(): Promise<string> {
  await fund();
  const { id } = await withdraw('1');
  await eventually(async () => expect((await ledger.withdrawal(id))?.state).toBe('processing'));
  return id;
}
/** The event that ended the transaction of the withdrawal, as the log of movements has it. */
function endOf(id: string, type: TransactionEnd['type'], receiver: typeof RECEIVER | null): Recorded<TransactionEnd> {
  const purpose: TokenMovementPurpose = {
    ...{ kind: 'token-movement', id, owner: { kind: 'withdrawal', id }, accountId: 'a', asset: 'eth-base/brlv' },
    ...{ amount: '1.000000000000000000', walletIds: ['w'], from: '0x1', to: '0x2', receiver },
  };
  const about = { transactionId: 't', chain: 'eth-base', purpose, txHash: '0xa' } as const;
  const mined = {
    blockNumber: '1',
    blockHash: '0xb',
    minedAt: AT,
    confirmedAt: AT,
    from: '0xf',
    nonce: 0,
    final: true,
  };
  const { data } =
    type === 'TransactionConfirmed'
      ? new TransactionConfirmed({ ...about, ...mined })
      : new TransactionReverted({ ...about, reason: 'WalletsHoldTooLittle' });
  const commandId = derivedId('end', id);
  const meta = { commandId, index: 0, count: 1, occurredAt: AT, correlationId: commandId };
  const place = { stream: 'chainTransaction-t', revision: 2, position: '9' };
  return { id: eventId(commandId, 0), ...place, type, version: 1, data, meta } as Recorded<TransactionEnd>;
}
const handle = (movementId: string, end: Recorded<TransactionEnd>) =>
  ledger.ask(HandleTransactionEnd, { movementId, end });
const received = async () =>
  (
    await ledger.ask(ListDeposits, {
      accountId: RECEIVER.accountId,
      filters: { assets: ['eth-base/brlv'], status: null, type: 'token', endToEndId: null, txHash: '0xa' },
      page: { limit: 10, cursor: null, createdFrom: null, createdTo: null },
    })
  ).items;

describe('The end of a transaction whose event was lost', () => {
  it('completes the withdrawal and deposits its tokens to the receiver, once', async () => {
    const id = await start();
    const end = endOf(id, 'TransactionConfirmed', RECEIVER);
    await handle(id, end);
    await handle(id, end);
    expect(await ledger.withdrawal(id)).toMatchObject({ state: 'completed', txHash: '0xa' });
    await eventually(async () => expect(await received()).toHaveLength(1));
    expect(await available()).toBe('99.000000000000000000');
    expect((await ledger.types(`withdrawal-${id}`)).filter((type) => type === 'WithdrawalCompleted')).toHaveLength(1);
  });

  it('rolls the withdrawal back and releases its hold', async () => {
    const id = await start();
    await handle(id, endOf(id, 'TransactionReverted', null));
    expect(await ledger.withdrawal(id)).toMatchObject({
      state: 'rolled-back',
      failure: { code: 'insufficient-balance' },
    });
    await eventually(async () => expect(await available()).toBe(FUNDS));
  });
});
