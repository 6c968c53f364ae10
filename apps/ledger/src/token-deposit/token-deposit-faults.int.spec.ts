import 'reflect-metadata';
import type { IncomingTransfer, IncomingTransfersEvent } from '@ponte/contracts';
import {
  GetBalance,
  IncomingTransfersConfirmed,
  IncomingTransfersFinalized,
  IncomingTransfersReorged,
  IncomingTransfersSeen,
  ListDeposits,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import fc from 'fast-check';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });
let revisions: Map<string, number>;
beforeEach(() => {
  revisions = new Map();
});

const NOW = '2026-11-20T12:00:00.000Z';
const BLOCK = { chain: 'eth-base' as const, blockNumber: '7', blockHash: '0xb' };
const idOf = (name: string) => derivedId('deposit', name);
const transfer = (name: string, amount = '5.000000'): IncomingTransfer => ({
  depositId: idOf(name),
  accountId: ACCOUNT,
  parentId: null,
  walletId: 'w',
  asset: 'eth-base/usdc',
  amount,
  from: '0x1',
  to: '0x2',
  txHash: `0x${name}`,
  logIndex: 0,
});
const seen = (...names: string[]) =>
  new IncomingTransfersSeen({ ...BLOCK, minedAt: NOW, sighting: 1, transfers: names.map((name) => transfer(name)) });
const confirmed = (...names: string[]) => new IncomingTransfersConfirmed({ ...BLOCK, depositIds: names.map(idOf) });
const final = (...names: string[]) => new IncomingTransfersFinalized({ ...BLOCK, depositIds: names.map(idOf) });
const reorged = (...names: string[]) => new IncomingTransfersReorged({ ...BLOCK, depositIds: names.map(idOf) });

/** Appends an event about a block, as the movements service does. */
async function reported(event: IncomingTransfersEvent, block = 'one'): Promise<void> {
  const stream = `incomingTransfers-eth-base_${block}`;
  const revision = revisions.get(block) ?? -1;
  revisions.set(block, revision + 1);
  const commandId = derivedId(stream, String(revision));
  const meta = { commandId, index: 0, count: 1, occurredAt: NOW, correlationId: commandId };
  await ledger.store.append(stream, revision, [
    { id: eventId(commandId, 0), type: event.type, version: 1, data: event.data, meta },
  ]);
}

const PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
const ANY = { assets: ['eth-base/usdc' as const], status: null, type: null, endToEndId: null, txHash: null };
const deposits = async () => (await ledger.ask(ListDeposits, { accountId: ACCOUNT, filters: ANY, page: PAGE })).items;
const statuses = async () => Object.fromEntries((await deposits()).map(({ id, status }) => [id, status]));
const running = async () => (await ledger.ask(GetBalance, { accountId: ACCOUNT, assets: ['eth-base/usdc'] })).running;

const KINDS: readonly FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
const WAY = ['DepositCreated', 'DepositConfirmed', 'DepositFinalized', 'DepositPosted', 'DepositCredited'];

describe('A deposit of tokens, after a fault at an append', () => {
  it.each([...WAY, 'DepositVoided'].flatMap((type) => KINDS.map((kind) => [kind, type] as const)))(
    '%s at %s, is credited once, and the books are correct',
    async (kind, type) => {
      const { struck } = ledger.store.faults.next({
        kind,
        match: (_stream, events) => events.some((event) => event.type === type),
      });
      const restarted = struck.then(async () => {
        if (kind === 'crash-after-append') await ledger.restart();
      });
      for (const event of [seen('a', 'b'), confirmed('a', 'b'), reorged('b'), final('a')])
        await eventually(() =>
          reported(event).catch((error: unknown) => {
            revisions.set('one', (revisions.get('one') ?? 0) - 1);
            throw error;
          }),
        );
      await restarted;
      await eventually(async () => {
        await ledger.tick();
        expect(await statuses()).toEqual({ [idOf('a')]: 'credited', [idOf('b')]: 'voided' });
      }, 10_000);
      expect(await running()).toBe('5.000000');
      const types = await ledger.types('deposit-');
      for (const one of ['DepositCredited', 'DepositVoided'])
        expect(types.filter((found) => found === one)).toHaveLength(1);
    },
    30_000,
  );
});

describe('The books, for any mix of deposits,', () => {
  it('sum to zero, and the balance contains exactly the final deposits', async () => {
    const fate = fc.record({
      amount: fc.integer({ min: 1, max: 1_000_000 }),
      confirmed: fc.boolean(),
      end: fc.constantFrom('final', 'reorged', 'open'),
    });
    let [run, expected] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 8 }), async (fates) => {
        run += 1;
        const names = fates.map((_, at) => `${run}-${at}`);
        const block = `block-${run}`;
        const transfers = fates.map(({ amount }, at) =>
          transfer(names[at] ?? '', `0.${String(amount).padStart(6, '0')}`.replace(/^0\.(\d+)(\d{6})$/, '$1.$2')),
        );
        await reported(new IncomingTransfersSeen({ ...BLOCK, minedAt: NOW, sighting: 1, transfers }), block);
        const those = (keep: (one: (typeof fates)[number]) => boolean) =>
          names.filter((_, at) => {
            const one = fates[at];
            return one && keep(one);
          });
        await reported(confirmed(...those((one) => one.confirmed)), block);
        await reported(final(...those(({ end }) => end === 'final')), block);
        await reported(reorged(...those(({ end }) => end === 'reorged')), block);
        expected += fates.filter(({ end }) => end === 'final').reduce((sum, { amount }) => sum + amount, 0);
        await eventually(async () => expect(Number((await running()).replace('.', ''))).toBe(expected));
        await eventually(() => ledger.assertTrialBalance());
      }),
      { numRuns: 10 },
    );
  }, 60_000);
});
