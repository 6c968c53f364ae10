import 'reflect-metadata';
import type { MovementReceiver, TransactionPurpose, WalletRelation } from '@ponte/contracts';
import {
  GetTrialBalance,
  ReorgedAfterCompletion,
  ResolveWallet,
  TransactionLost,
  TransactionRestored,
  treasuryWalletId,
} from '@ponte/contracts';
import type { DomainEvent, ReplyOf } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { MemoryEventStore, MemoryLog, eventually, temporaryFolder } from '@ponte/testing';
import { LedgerModule } from '../ledger.module';
import { ACCOUNT, LedgerUnderTest } from '../testing/ledger-under-test';
import { lossPathOf } from './loss-path.domain';

let revision: number;
let folder: ReturnType<typeof temporaryFolder>;
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeEach(async () => {
  revision = -1;
  folder = temporaryFolder();
  const log = new MemoryLog();
  ledger = new LedgerUnderTest({
    module: LedgerModule,
    folder: folder.path,
    open: () => new MemoryEventStore({ log }),
  });
  await ledger.boot();
});
afterEach(async () => {
  await ledger.stop();
  folder.remove();
});

const AT = '2026-03-01T12:00:00.000Z';
const AMOUNT = '2.500000000000000000';
const INSIDE = `0x${'a1'.repeat(20)}`;
const NEIGHBOUR = `0x${'b2'.repeat(20)}`;
const OUTSIDE = `0x${'cd'.repeat(20)}`;
const asset = 'eth-base/brlv' as const;
const treasury = treasuryWalletId('eth-base');
const receiver = { accountId: ACCOUNT, parentId: null, walletId: 'w' };
const about = { id: 'm', orderId: 'o', accountId: ACCOUNT, asset, amount: AMOUNT } as const;
const mint = (to: string): TransactionPurpose => ({ ...about, kind: 'mint', to });
const movement = (
  owner: 'order' | 'transfer' | 'withdrawal',
  walletId: string,
  to: MovementReceiver | null,
): TransactionPurpose => ({
  kind: 'token-movement',
  id: 'm',
  owner: { kind: owner, id: 'o' },
  accountId: ACCOUNT,
  asset,
  amount: AMOUNT,
  walletIds: [walletId],
  from: '0x1',
  to: OUTSIDE,
  receiver: to,
});
const redemption: TransactionPurpose = { ...about, kind: 'redemption', walletIds: ['w'], minBrl: null };

async function appendEvent({ type, data }: DomainEvent): Promise<void> {
  const id = `${type}${(revision += 1)}`;
  await ledger.store.append('chainTransaction-t', revision - 1, [
    {
      id: eventId(id, 0),
      type,
      version: 1,
      data,
      meta: { commandId: id, index: 0, count: 1, occurredAt: AT, correlationId: id },
    },
  ]);
}
/** The token balances of the house accounts, without those that are zero. */
async function house(): Promise<Record<string, string>> {
  const { lines, sums } = await ledger.ask(GetTrialBalance, { customers: true });
  expect(sums.filter(({ amount }) => Number(amount) !== 0)).toEqual([]);
  expect(lines.filter(({ account }) => account.startsWith('customer:'))).toEqual([]);
  const nonZeroLines = lines.filter((one) => one.asset === asset && Number(one.amount) !== 0);
  return Object.fromEntries(nonZeroLines.map(({ account, amount }) => [account, amount]));
}
/** Answers as the movements service, for the wallets of this test. */
function answerAsMovements(): void {
  const relationOf = (address: string): WalletRelation => {
    if (address === INSIDE) return { kind: 'internal', walletId: 'w', address };
    const relation = { kind: 'external', address, whitelisted: true, fxWhitelisted: false } as const;
    return address === NEIGHBOUR ? { ...relation, ofAnotherAccount: true } : relation;
  };
  ledger.engines.bus.handle(ResolveWallet.pattern, async (payload): Promise<ReplyOf<typeof ResolveWallet>> => {
    return { relation: relationOf((payload as { address: string }).address), aboveMaximum: false, lacksTokens: false };
  });
}

describe('A completed movement that a reorg removed', () => {
  it.each<[string, TransactionPurpose, string, string]>([
    ['a mint to a Ponte wallet', mint(INSIDE), 'loss', 'issuance'],
    ["a mint to another account's Ponte wallet", mint(NEIGHBOUR), 'loss', 'issuance'],
    ['a mint to a wallet outside', mint(OUTSIDE), 'owed', 'issuance'],
    ['a redemption', redemption, 'issuance', 'loss'],
    ['a treasury payment to a Ponte wallet', movement('order', treasury, receiver), 'loss', 'treasury'],
    ['a treasury payment to a wallet outside', movement('order', treasury, null), 'owed', 'treasury'],
    ['a receipt of the treasury', movement('order', 'w', null), 'treasury', 'loss'],
    ['a transfer to an address outside', movement('transfer', 'w', null), 'owed', 'loss'],
    ['a withdrawal to an address outside', movement('withdrawal', 'w', null), 'owed', 'loss'],
  ])(
    '(%s) is posted once between house accounts, and posted back when it is on the chain again',
    async (_, purpose, from, to) => {
      answerAsMovements();
      const place = {
        transactionId: 't',
        chain: 'eth-base',
        purpose,
        from: '0xf',
        nonce: 0,
        txHash: '0xa',
        blockNumber: '9',
        blockHash: '0xb',
      } as const;
      await appendEvent(new ReorgedAfterCompletion({ ...place, detectedAt: AT }));
      await eventually(async () =>
        expect(await house()).toEqual({ [`house:${from}`]: `-${AMOUNT}`, [`house:${to}`]: AMOUNT }),
      );
      await appendEvent(new TransactionRestored({ ...place, minedAt: AT, restoredAt: AT, final: true }));
      await eventually(async () => expect(await house()).toEqual({}));
    },
  );

  it('stays posted when it is lost permanently', async () => {
    answerAsMovements();
    const place = { transactionId: 't', chain: 'eth-base', purpose: redemption, txHash: '0xa' } as const;
    const where = { from: '0xf', nonce: 0, blockNumber: '9', blockHash: '0xb' };
    await appendEvent(new ReorgedAfterCompletion({ ...place, ...where, detectedAt: AT }));
    await appendEvent(new TransactionLost({ ...place, reason: 'superseded' }));
    await eventually(async () =>
      expect(await house()).toEqual({ 'house:issuance': `-${AMOUNT}`, 'house:loss': AMOUNT }),
    );
  });
});

it.each([
  ['a movement between two Ponte wallets', movement('transfer', 'w', receiver)],
  ['a certificate', { kind: 'certificate-mint', id: 'c', accountId: ACCOUNT, to: INSIDE } as const],
])('the ledger posts no house loss for %s', (_, purpose) => {
  expect(lossPathOf({ purpose, chain: 'eth-base', mintedInCustody: true })).toBeNull();
});
