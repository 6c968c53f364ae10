import type { LedgerAccountEvent } from '@ponte/contracts';
import {
  GetBalance,
  IncomingTransfersConfirmed,
  IncomingTransfersFinalized,
  IncomingTransfersSeen,
  ListOpenHolds,
  NO_CHARGES,
  PlaceHold,
  PostExchange,
  PostTokenMovement,
  ReleaseHold,
  SettleTokenWithdrawal,
} from '@ponte/contracts';
import { eventId, fold } from '@ponte/event-sourcing';
import { Money, Refusal, derivedId } from '@ponte/kernel';
import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import type { LedgerAccount } from '../ledger-account/ledger-account.state';
import { availableOf } from '../ledger-account/ledger-account.state';
import { sumsOf } from '../ledger-account/postings.domain';
import { LedgerModule } from '../ledger.module';
import { LedgerUnderTest, STRANGER_CPF } from '../testing/ledger-under-test';

const ROUNDS = Number(process.env['ROUNDS'] ?? 100);
const SPENDS = 64;
const NOW = '2026-11-20T12:00:00.000Z';
const OUTSIDE = `0x${'cd'.repeat(20)}`;
const TX = `0x${'ef'.repeat(32)}`;

type Asset = 'fiat/brl' | 'eth-base/brlv';
/** One spend of a round: its kind, and how it ends if it gets the money. */
interface Spend {
  readonly accountId: string;
  readonly asset: Asset;
  readonly id: string;
  readonly by: 'withdrawal' | 'order' | 'transfer';
  readonly completes: boolean;
}

const money = (asset: Asset, centavos: number): string =>
  Money.of(asset, asset === 'fiat/brl' ? BigInt(centavos) : BigInt(centavos) * 10n ** 16n).toString();

let place: ReturnType<typeof temporaryFolder>;
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeAll(async () => {
  place = temporaryFolder();
  ledger = new LedgerUnderTest({
    module: LedgerModule,
    folder: place.path,
    open: (before) => new MemoryEventStore({ log: before?.log }),
  });
  await ledger.boot();
});
afterAll(async () => {
  await ledger.stop();
  place.remove();
});

const balanceOf = async (accountId: string, asset: Asset) => {
  const { running, available, held } = await ledger.ask(GetBalance, { accountId, assets: [asset] });
  return { running, available, held };
};

/** Funds the account: BRL by Pix, tokens from outside by the events of the movements service. */
async function fund(accountId: string, asset: Asset, amount: string): Promise<void> {
  if (asset === 'fiat/brl') await ledger.pay(await ledger.fundingCode(accountId), amount);
  else await arrive(accountId, amount);
  await eventually(async () => {
    await ledger.tick();
    expect((await balanceOf(accountId, asset)).available).toBe(amount);
  });
}

async function arrive(accountId: string, amount: string): Promise<void> {
  const depositId = derivedId('arrival', accountId);
  const block = { chain: 'eth-base' as const, blockNumber: '7', blockHash: `0x${accountId}` };
  const transfer = { depositId, accountId, parentId: null, walletId: 'w', asset: 'eth-base/brlv' as const, amount };
  const where = { from: '0x1', to: '0x2', txHash: `0x${accountId}`, logIndex: 0 };
  const events = [
    new IncomingTransfersSeen({ ...block, minedAt: NOW, sighting: 1, transfers: [{ ...transfer, ...where }] }),
    new IncomingTransfersConfirmed({ ...block, depositIds: [depositId] }),
    new IncomingTransfersFinalized({ ...block, depositIds: [depositId] }),
  ];
  for (const [at, { type, data }] of events.entries()) {
    const commandId = derivedId('told', accountId, String(at));
    const meta = { commandId, index: 0, count: 1, occurredAt: NOW, correlationId: commandId };
    const written = [{ id: eventId(commandId, 0), type, version: 1, data, meta }];
    await ledger.store.append(`incomingTransfers-eth-base_${accountId}`, at - 1, written);
  }
}

/** Reserves the funds of one spend; false if the balance does not cover it. */
async function take({ accountId, asset, id, by }: Spend): Promise<boolean> {
  const amount = money(asset, 1_000);
  try {
    if (by !== 'withdrawal') {
      await ledger.ask(PlaceHold, { accountId, hold: { holdId: id, owner: { kind: by, id }, asset, amount } });
    } else if (asset === 'fiat/brl') {
      await ledger.withdraw(amount, { pixKey: STRANGER_CPF }, { accountId, withdrawalId: id });
    } else {
      const token = { accountId, withdrawalId: id, asset, method: 'token' } as const;
      await ledger.withdraw(amount, { destinationWalletAddress: OUTSIDE }, token);
    }
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'insufficient-balance') return false;
    throw error;
  }
}

/** Ends a spend that has its funds, by spending or releasing them. A Pix withdrawal ends by itself. */
async function end({ accountId, asset, id, by, completes }: Spend): Promise<void> {
  const debit = { asset, amount: money(asset, 1_000) };
  if (by === 'withdrawal') {
    if (asset === 'fiat/brl') return;
    const outcome = completes
      ? ({ state: 'completed', txHash: TX, receiverAccountId: null } as const)
      : ({
          state: 'failed',
          failure: { code: 'transaction-reverted', message: 'the transaction failed', retryable: false },
        } as const);
    // The chain reports a withdrawal only after it was sent.
    const settle = () => ledger.ask(SettleTokenWithdrawal, { withdrawalId: id, outcome });
    const ended = completes ? 'completed' : 'rolled-back';
    await eventually(async () => expect((await settle()).state).toBe(ended));
  } else if (!completes) {
    await ledger.ask(ReleaseHold, { accountId, holdId: id, reason: 'test' });
  } else if (by === 'order') {
    const credit = { asset: asset === 'fiat/brl' ? 'eth-base/brlv' : 'fiat/brl', amount: '' } as const;
    const given = { ...credit, amount: money(credit.asset, 1_000) };
    const exchange = { orderId: id, holdId: id, debit, credit: given, custody: true, charges: NO_CHARGES };
    await ledger.ask(PostExchange, { accountId, ...exchange, deliveryHold: null });
  } else {
    // Transfers move only tokens, so the hold of a BRL transfer is released.
    if (asset === 'fiat/brl') return void (await ledger.ask(ReleaseHold, { accountId, holdId: id, reason: 'test' }));
    const movement = { movementId: id, owner: { kind: by, id }, holdId: id, debit, receiverAccountId: null };
    await ledger.ask(PostTokenMovement, { accountId, ...movement });
  }
}

const leaves = ({ asset, by, completes }: Spend): boolean => {
  if (asset === 'fiat/brl' && by === 'withdrawal') return true;
  return completes && !(asset === 'fiat/brl' && by === 'transfer');
};

/** Checks every prefix of the log: each entry sums to zero, and no account has less than it holds. */
async function assertEveryPrefix(): Promise<void> {
  const states = new Map<string, LedgerAccount>();
  for (const { stream, type, data } of await ledger.events('ledgerAccount-')) {
    const event = { type, data } as LedgerAccountEvent;
    if ('postings' in event.data) for (const sum of sumsOf(event.data.postings).values()) expect(sum).toBe(0n);
    const state = fold(ledgerAccount, states.get(stream) ?? ledgerAccount.initial, [event]);
    states.set(stream, state);
    for (const balance of Object.values(state.balances)) {
      if (availableOf(balance) < 0n || balance.held < 0n) throw new Error(`${stream} is overdrawn after ${type}`);
    }
  }
}

describe(`${SPENDS} parallel spends of one balance by withdrawals, transfers and orders`, () => {
  it(`succeed exactly as often as the balance covers, in ${ROUNDS} rounds of BRL and tokens`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const asset: Asset = round % 2 === 0 ? 'fiat/brl' : 'eth-base/brlv';
      const accountId = derivedId('spender', String(round));
      ledger.status.set(accountId, 'active');
      const balance = 1_000 + ((round * 6_337) % (SPENDS * 1_000 - 1_500));
      const covered = Math.floor(balance / 1_000);
      await fund(accountId, asset, money(asset, balance));
      const kinds = ['withdrawal', 'order', 'transfer'] as const;
      const spends = Array.from({ length: SPENDS }, (_, index): Spend => {
        const id = derivedId('spend', String(round), String(index));
        return { accountId, asset, id, by: kinds[(index + round) % 3] ?? 'order', completes: index % 4 !== 0 };
      });
      const won = await Promise.all(spends.map(take));
      expect([round, won.filter(Boolean).length]).toEqual([round, covered]);
      const winners = spends.filter((_, index) => won[index]);
      await Promise.all(winners.map(end));
      const rest = money(asset, balance - winners.filter(leaves).length * 1_000);
      const none = money(asset, 0);
      await eventually(async () => {
        await ledger.tick();
        expect(await balanceOf(accountId, asset)).toEqual({ running: rest, available: rest, held: none });
      });
    }
    for (const ownerKind of ['order', 'transfer'] as const) {
      const query = { ownerKind, placedBefore: '2099-01-01T00:00:00.000Z', limit: 10 };
      await eventually(async () => expect((await ledger.ask(ListOpenHolds, query)).holds).toEqual([]));
    }
    await assertEveryPrefix();
    await eventually(() => ledger.assertTrialBalance());
  }, 600_000);
});
