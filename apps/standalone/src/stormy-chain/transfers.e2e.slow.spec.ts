import { Module } from '@nestjs/common';
import {
  CreateTransfer,
  GetBalance,
  GetSettlement,
  NO_CHARGES,
  PlaceHold,
  PostExchange,
  ProvisionWallets,
  RequestSettlement,
} from '@ponte/contracts';
import { Money, derivedId } from '@ponte/kernel';
import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import { LedgerModule } from '../../../ledger/src/ledger.module';
import { ACCOUNT, LedgerUnderTest, PARENT } from '../../../ledger/src/testing/ledger-under-test';
import { MovementsModule } from '../../../movements/src/movements.module';
import type { Hex } from '../../../movements/src/chain/chain.port';
import { StormyChain } from './testing/stormy-chain';

const TRANSFERS = Number(process.env['TRANSFERS'] ?? 2_000);
const AT_ONCE = 50;
const OPERATOR_KEYS = 4;
const OUTSIDE: Hex = `0x${'cd'.repeat(20)}`;
const RECEIVER = derivedId('account', 'receiver');
const ASSET = 'eth-base/brlv' as const;
const UNIT = 10n ** 18n;
/** The amount that stays in the sender's wallet. */
const LEFT = 100;
const SUITE_MS = 3_600_000;
const PATIENCE_MS = SUITE_MS / 2;
const RELEASE_MS = 50;
const brlv = (whole: number): string => Money.of(ASSET, BigInt(whole) * UNIT).toString();

let place: ReturnType<typeof temporaryFolder>;
let chain: StormyChain;
let ledger: LedgerUnderTest<MemoryEventStore>;
let staff: ReturnType<typeof setInterval>;

beforeAll(async () => {
  place = temporaryFolder();
  chain = await StormyChain.start(place.path, OPERATOR_KEYS);
  const config = {
    chains: { kind: 'simulated' },
    keystore: { kind: 'file', passphrase: '' },
    signerLimits: {},
    operatorKeys: OPERATOR_KEYS,
    pollMs: 100,
    raiseFeeMs: 3_000,
  } as const;
  @Module({ imports: [LedgerModule, MovementsModule.over(config, chain.open)] })
  class LedgerAndMovements {}
  ledger = new LedgerUnderTest({
    module: LedgerAndMovements,
    folder: place.path,
    open: (before) => new MemoryEventStore({ log: before?.log }),
    clockGoesOn: true,
    includesMovements: true,
  });
  await ledger.boot();
  ledger.engines.timers.start();
  staff = setInterval(release, RELEASE_MS);
});
afterAll(async () => {
  clearInterval(staff);
  await ledger.stop();
  await chain.stop();
  place.remove();
});

/** A reorg that undoes a completed transfer freezes the account. Here staff release it soon after. */
const release = (): void => [ACCOUNT, RECEIVER].forEach((accountId) => ledger.status.set(accountId, 'active'));

const walletOf = async (accountId: string): Promise<Hex> => {
  const { wallets } = await ledger.ask(ProvisionWallets, { accountId, parentId: PARENT });
  return wallets.find((one) => one.chain === 'eth-base')?.address as Hex;
};

/** Puts BRLV into the wallet and the books as an order does. */
async function funded(to: string, whole: number): Promise<void> {
  await ledger.fund(`${whole}.00`);
  const [orderId, mintId] = [derivedId('order', 'one'), derivedId('mint', 'one')];
  const debit = { asset: 'fiat/brl', amount: `${whole}.00` } as const;
  const hold = { holdId: orderId, owner: { kind: 'order', id: orderId }, ...debit } as const;
  await ledger.ask(PlaceHold, { accountId: ACCOUNT, hold });
  const credit = { asset: ASSET, amount: brlv(whole) };
  const mint = { settlementId: mintId, kind: 'mint', orderId, accountId: ACCOUNT, ...credit, wallet: to } as const;
  await ledger.ask(RequestSettlement, { ...mint, brlAmount: debit.amount });
  await eventually(
    async () =>
      expect(await ledger.ask(GetSettlement, { settlementId: mintId, kind: 'mint' })).toMatchObject({
        state: 'completed',
      }),
    PATIENCE_MS,
  );
  const exchange = { orderId, holdId: orderId, debit, credit, custody: true, charges: NO_CHARGES, deliveryHold: null };
  await ledger.ask(PostExchange, { accountId: ACCOUNT, ...exchange });
  await chain.mine();
}

const send = (index: number, source: string, inside: string): Promise<unknown> =>
  ledger.ask(CreateTransfer, {
    transferId: derivedId('transfer', String(index)),
    callerAccountId: PARENT,
    accountId: ACCOUNT,
    sourceAddress: source,
    targetAddress: index % 2 === 0 ? OUTSIDE : inside,
    asset: ASSET,
    amount: '1',
    externalId: null,
    bodyHash: null,
  });

const dataOf = (type: string): unknown[] =>
  ledger.store.log
    .slice(0, ledger.store.log.length)
    .filter((event) => event.type === type)
    .map(({ data }) => data);
const ids = (type: string): string[] => dataOf(type).map((data) => (data as { transferId: string }).transferId);
interface Failed {
  readonly transferId: string;
  readonly txHash: string | null;
  readonly failure: { readonly code: string };
}
/** The outcomes of the transfers according to the log. */
const outcome = () => ({ completed: ids('TransferCompleted'), failures: dataOf('TransferFailed') as Failed[] });
const numbersOf = (transferIds: readonly string[]): number[] => {
  const numbers = new Map(Array.from({ length: TRANSFERS }, (_, at) => [derivedId('transfer', String(at)), at]));
  return transferIds.map((id) => numbers.get(id) ?? -1);
};
const count = (type: string): number => ids(type).length;

describe(`${TRANSFERS} transfers on a chain with reorgs and dropped and delayed transactions`, () => {
  it(
    'are each executed once, and the ledger equals the chain',
    async () => {
      const [source, inside] = [await walletOf(ACCOUNT), await walletOf(RECEIVER)];
      await funded(source, TRANSFERS + LEFT);
      const began = performance.now();
      chain.storm();
      for (let from = 0; from < TRANSFERS; from += AT_ONCE) {
        const numbers = Array.from({ length: Math.min(AT_ONCE, TRANSFERS - from) }, (_, at) => from + at);
        await eventually(() => Promise.all(numbers.map((number) => send(number, source, inside))), PATIENCE_MS);
      }
      await eventually(() => {
        expect(new Set(ids('TransferCompleted')).size + new Set(ids('TransferFailed')).size).toBe(TRANSFERS);
      }, PATIENCE_MS);
      await chain.calm();
      const stormMs = performance.now() - began;
      // Transactions undone by the last reorg are sent again.
      const { completed, failures } = outcome();
      // A transfer of a frozen account fails without sending anything.
      const onlyFrozen = failures.map(({ txHash, failure }) => [txHash, failure.code]);
      expect(onlyFrozen).toEqual(failures.map(() => [null, 'account-not-active']));
      const outside = numbersOf(completed).filter((number) => number % 2 === 0).length;
      const received = completed.length - outside;
      const left = LEFT + TRANSFERS - completed.length;
      await eventually(async () => {
        await chain.mine(1);
        const held = await Promise.all([OUTSIDE, source, inside].map((at) => chain.evm.tokenBalance(ASSET, at)));
        expect(held).toEqual([outside, left, received].map((whole) => BigInt(whole) * UNIT));
      }, PATIENCE_MS);
      await chain.mine();
      expect(await chain.transfersFrom(source)).toBe(completed.length);
      expect(new Set([...completed, ...failures.map(({ transferId }) => transferId)]).size).toBe(TRANSFERS);
      expect(completed.length + failures.length).toBe(TRANSFERS);
      // Most transfers must complete, or the run proves little.
      expect(completed.length).toBeGreaterThan(TRANSFERS * 0.9);
      await eventually(async () => {
        await ledger.tick();
        const [sender, receiver] = await Promise.all(
          [ACCOUNT, RECEIVER].map((accountId) => ledger.ask(GetBalance, { accountId, assets: [ASSET] })),
        );
        expect(sender).toMatchObject({ running: brlv(left), available: brlv(left) });
        expect(receiver).toMatchObject({ running: brlv(received), available: brlv(received) });
      }, PATIENCE_MS);
      await ledger.assertTrialBalance();
      const { reorgs, swallowed, expensive } = chain.done;
      expect(Math.min(reorgs, swallowed, expensive, count('TransactionFeeRaised'))).toBeGreaterThan(0);
      const recovered = {
        failedWhileFrozen: failures.length,
        feesRaised: count('TransactionFeeRaised'),
        takenBack: count('ReorgedAfterCompletion'),
      };
      process.stdout.write(
        `${TRANSFERS} transfers, ${(stormMs / 1_000).toFixed(0)} s of storm: ${JSON.stringify({ ...chain.done, ...recovered })}\n`,
      );
    },
    SUITE_MS,
  );
});
