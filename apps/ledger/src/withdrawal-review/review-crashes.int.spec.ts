import { ListAddressReviews, SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { fundTokens } from '../testing/fund-tokens';
import { reviewAsRead } from '../testing/address-reviews';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ASSET = 'eth-base/brlv';
const ledger = ledgerForEachTest();
beforeEach(async () => {
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
});

/** A withdrawal of 10 BRLV with one false-positive verdict, so that the next verdict decides. */
async function halfReviewed(): Promise<string> {
  const target = { destinationWalletAddress: SANCTIONED_SANDBOX_ADDRESS };
  const { id } = await ledger.withdraw('10', target, { asset: ASSET, method: 'token' });
  await eventually(async () => expect((await ledger.ask(ListAddressReviews, {})).reviews).toHaveLength(1));
  await review(id, 'first', 'false-positive');
  return id;
}

const review = (withdrawalId: string, staffId: string, verdict: 'false-positive' | 'true-match') =>
  reviewAsRead(ledger, withdrawalId, staffId, verdict);

const KINDS: readonly FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
const VERDICTS = [
  ['false-positive', 'processing', ['WithdrawalReviewed', 'WithdrawalProcessingStarted']],
  ['true-match', 'rolled-back', ['WithdrawalReviewed', 'WithdrawalRolledBack', 'HoldReleased']],
] as const;
const CASES = VERDICTS.flatMap(([verdict, state, types]) =>
  types.flatMap((type) => KINDS.map((kind) => [kind, type, verdict, state] as const)),
);

describe('A fault at any append after the deciding verdict on an address', () => {
  it.each(CASES)(
    '(%s at %s, after a %s) lets the withdrawal end %s exactly once',
    async (kind, type, verdict, state) => {
      const id = await halfReviewed();
      const { struck } = ledger.store.faults.next({
        kind,
        match: (_stream, events) => events.some((event) => event.type === type),
      });
      const restarted = struck.then(async () => {
        if (kind === 'crash-after-append') await ledger.restart();
      });
      // The staff member retries the verdict until it is answered. If it was recorded before the fault, the review is
      // closed.
      const outcome = eventually(() =>
        review(id, 'second', verdict).then(
          () => 'done',
          (error: unknown) => {
            if (error instanceof Refusal && error.code === 'review-not-open') return error.code;
            throw error;
          },
        ),
      );
      await restarted;
      expect(['done', 'review-not-open']).toContain(await outcome);

      const refused = verdict === 'true-match';
      const left = refused ? { available: 100, held: 0 } : { available: 90, held: 10 };
      await eventually(async () => {
        await ledger.tick();
        expect(await ledger.withdrawal(id)).toMatchObject({ state });
        const { available, held } = await ledger.balance(ASSET);
        expect({ available: Number(available), held: Number(held) }).toEqual(left);
      });
      // The opposite verdict comes too late, and further runs of the timers change nothing.
      const opposite = refused ? 'false-positive' : 'true-match';
      await expect(review(id, 'third', opposite)).rejects.toMatchObject({ code: 'review-not-open' });
      await ledger.tick();
      expect(await ledger.types(`withdrawal-${id}`)).toEqual([
        'WithdrawalCreated',
        'WithdrawalHeldForReview',
        'WithdrawalReviewed',
        'WithdrawalReviewed',
        refused ? 'WithdrawalRolledBack' : 'WithdrawalProcessingStarted',
      ]);
      await eventually(() => ledger.assertTrialBalance());
    },
  );
});
