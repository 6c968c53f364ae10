import type { AddressSubject, GiveUpReason } from '@ponte/contracts';
import {
  ListAddressReviews,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  ScreenAddress,
  TransactionGivenUp,
  addressReviewId,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { fundTokens } from '../testing/fund-tokens';
import { ACCOUNT } from '../testing/ledger-under-test';
import { decideAsRead, MOVED } from '../testing/address-reviews';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const CLEAN = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf';
const NOW = '2026-11-20T12:00:00.000Z';
const ledger = ledgerForEachTest({ booksBalance: true });
const screen = async (of: AddressSubject, address: string = LISTED) =>
  (await ledger.ask(ScreenAddress, { ...MOVED, subject: of, accountId: ACCOUNT, address })).outcome;
const decide = (reviewId: string, staffId: string, verdict: 'false-positive' | 'true-match' = 'false-positive') =>
  decideAsRead(ledger, reviewId, staffId, verdict);
const queue = async () => (await ledger.ask(ListAddressReviews, {})).reviews;

/** Reports, as the movements service, that it will never sign the transaction of a withdrawal. */
async function givenUp(withdrawalId: string, reason: GiveUpReason = 'compliance'): Promise<void> {
  const commandId = derivedId('given-up', withdrawalId);
  const meta = { commandId, index: 0, count: 1, occurredAt: NOW, correlationId: commandId };
  const { type, data } = new TransactionGivenUp({
    transactionId: commandId,
    chain: 'eth-base',
    reason,
    givenUpAt: NOW,
    purpose: {
      kind: 'token-movement',
      id: withdrawalId,
      owner: { kind: 'withdrawal', id: withdrawalId },
      accountId: ACCOUNT,
      asset: 'eth-base/brlv',
      amount: '10',
      walletIds: ['w'],
      from: CLEAN,
      to: LISTED,
      receiver: null,
    },
  });
  await ledger.store.append(`chainTransaction-${commandId}`, -1, [
    { id: eventId(commandId, 0), type, version: 1, data, meta },
  ]);
}
async function started(destinationWalletAddress: string): Promise<AddressSubject> {
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
  const token = { asset: 'eth-base/brlv', method: 'token' } as const;
  const { id } = await ledger.withdraw('10', { destinationWalletAddress }, token);
  if (destinationWalletAddress === LISTED) {
    await eventually(async () => expect(await queue()).toHaveLength(1));
    await decide(id, 'first');
    await decide(id, 'second');
  }
  await eventually(async () => expect((await ledger.withdrawal(id))?.state).toBe('processing'));
  return { kind: 'withdrawal', id };
}

const open = async (): Promise<Record<string, number>> => {
  const metric = ledger.engines.metrics.registry.getSingleMetric('ponte_address_reviews_open');
  const { values } = (await metric?.get()) ?? { values: [] };
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.subject), value]));
};

it.each([
  ['above what one transaction may move', 'amount-above-maximum', 'amount-above-maximum', false],
  ['of a frozen account, which an operator ended,', 'account-not-active', 'account-not-active', false],
  ['whose key will never be available again', 'key-unavailable', 'withdrawal-superseded', true],
] as const)('a token withdrawal %s is rolled back, and its funds are released', async (_, reason, code, retryable) => {
  const { id } = await started(CLEAN);
  await givenUp(id, reason);
  await eventually(async () =>
    expect(await ledger.withdrawal(id)).toMatchObject({ state: 'rolled-back', failure: { code, retryable } }),
  );
  await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
});

describe('A token withdrawal whose address is listed after the withdrawal has started', () => {
  it('waits in the queue with the other reviews, and is counted with them', async () => {
    const one = await started(CLEAN);
    expect([await screen(one), await screen(one)]).toEqual(['waits', 'waits']);
    expect(await queue()).toMatchObject([{ id: addressReviewId(one), subject: one, outcome: 'waits' }]);
    expect((await ledger.withdrawal(one.id))?.state).toBe('processing');
    expect(await open()).toMatchObject({ withdrawal: 1, transfer: 0 });
    await decide(addressReviewId(one), 'first');
    await decide(addressReviewId(one), 'second');
    expect([await screen(one), await queue()]).toEqual(['clear', []]);
  });

  it('is rolled back for compliance once movements has given it up, and its funds are released', async () => {
    const one = await started(CLEAN);
    await screen(one);
    await decide(addressReviewId(one), 'first', 'true-match');
    expect(await screen(one)).toBe('refused');
    await givenUp(one.id);
    await eventually(async () =>
      expect(await ledger.withdrawal(one.id)).toMatchObject({
        state: 'rolled-back',
        txHash: null,
        failure: { code: 'compliance' },
      }),
    );
    await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
  });

  it('opens no new review for hits that two staff members found to be false positives before it started', async () => {
    const one = await started(LISTED);
    expect([await screen(one), await queue()]).toEqual(['clear', []]);
  });
});
