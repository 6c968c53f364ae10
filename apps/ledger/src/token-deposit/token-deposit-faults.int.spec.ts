import 'reflect-metadata';
import { IncomingTransfersSeen } from '@ponte/contracts';
import type { FaultKind } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import fc from 'fast-check';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import {
  BLOCK,
  MINED_AT,
  ReportedTransfers,
  confirmed,
  depositIdOf,
  final,
  incoming,
  reorged,
  seen,
} from '../testing/reported-transfers';

const ledger = ledgerForEachTest({ booksBalance: true });
let tokens: ReportedTransfers;
beforeEach(() => {
  tokens = new ReportedTransfers(ledger);
});

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
          tokens.report(event).catch((error: unknown) => {
            tokens.revisions.set('one', (tokens.revisions.get('one') ?? 0) - 1);
            throw error;
          }),
        );
      await restarted;
      await eventually(async () => {
        await ledger.tick();
        expect(await tokens.statuses()).toEqual({ [depositIdOf('a')]: 'credited', [depositIdOf('b')]: 'voided' });
      }, 10_000);
      expect(await tokens.running()).toBe('5.000000');
      const types = await ledger.types('deposit-');
      for (const one of ['DepositCredited', 'DepositVoided'])
        expect(types.filter((found) => found === one)).toHaveLength(1);
    },
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
          incoming(names[at] ?? '', `0.${String(amount).padStart(6, '0')}`.replace(/^0\.(\d+)(\d{6})$/, '$1.$2')),
        );
        await tokens.report(new IncomingTransfersSeen({ ...BLOCK, minedAt: MINED_AT, sighting: 1, transfers }), block);
        const those = (keep: (one: (typeof fates)[number]) => boolean) =>
          names.filter((_, at) => {
            const one = fates[at];
            return one && keep(one);
          });
        await tokens.report(confirmed(...those((one) => one.confirmed)), block);
        await tokens.report(final(...those(({ end }) => end === 'final')), block);
        await tokens.report(reorged(...those(({ end }) => end === 'reorged')), block);
        expected += fates.filter(({ end }) => end === 'final').reduce((sum, { amount }) => sum + amount, 0);
        await eventually(async () => expect(Number((await tokens.running()).replace('.', ''))).toBe(expected));
        await eventually(() => ledger.assertTrialBalance());
      }),
      { numRuns: 10 },
    );
  });
});
