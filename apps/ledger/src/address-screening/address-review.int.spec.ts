import type { AddressSubject, IncomingTransfersEvent } from '@ponte/contracts';
import {
  DecideAddressReview,
  FindAddressHits,
  GetAddressReview,
  GetAnyDeposit,
  GetBalance,
  GetUncreditedTokens,
  IncomingTransfersFinalized,
  IncomingTransfersSeen,
  ListAddressReviews,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  ScreenAddress,
  TransactionGivenUp,
  addressReviewId,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { Refusal, derivedId } from '@ponte/kernel';
import type { MemoryEventStore } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { fundTokens } from '../testing/fund-tokens';
import type { LedgerUnderTest } from '../testing/ledger-under-test';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const CLEAN = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf';
const NOW = '2026-11-20T12:00:00.000Z';
const world = ledgerForEachTest({ booksBalance: true });
let ledger: LedgerUnderTest<MemoryEventStore>;
let revision: number;
beforeEach(() => {
  ledger = world.ledger;
  revision = -1;
});

const subject = (name: string, kind: AddressSubject['kind'] = 'transfer'): AddressSubject => ({
  kind,
  id: derivedId('test', name),
});
const screen = async (of: AddressSubject, address: string = LISTED) =>
  (await ledger.ask(ScreenAddress, { subject: of, accountId: ACCOUNT, address, chain: 'eth-base' })).outcome;
const decide = (reviewId: string, staffId: string, verdict: 'false-positive' | 'true-match' = 'false-positive') =>
  ledger.ask(DecideAddressReview, { reviewId, staffId, verdict, reason: 'Ticket 1' });
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
const queue = async () => (await ledger.ask(ListAddressReviews, {})).reviews;

describe('An address that no list names', () => {
  it('is clear, and opens no review', async () => {
    expect([await screen(subject('one'), CLEAN), await queue()]).toEqual(['clear', []]);
    expect((await ledger.ask(FindAddressHits, { addresses: [CLEAN, LISTED] })).found).toEqual([
      { address: LISTED, hits: [expect.objectContaining({ list: 'sandbox' })] },
    ]);
  });
});

describe('The review of an address that a list names', () => {
  it('waits in the queue once, however often and in whichever case the address is screened', async () => {
    const one = subject('one');
    const written = LISTED.toUpperCase().replace('0X', '0x');
    expect([await screen(one), await screen(one, written), await screen(one)]).toEqual(['waits', 'waits', 'waits']);
    expect(await queue()).toMatchObject([
      { id: addressReviewId(one), subject: one, accountId: ACCOUNT, address: LISTED, chain: 'eth-base' },
    ]);
    expect(await ledger.types(`addressReview-${addressReviewId(one)}`)).toEqual(['AddressReviewOpened']);
  });

  it('clears after two different members of staff; one of them twice, and a third, are refused', async () => {
    const one = subject('one');
    const id = addressReviewId(one);
    await screen(one);
    expect(await decide(id, 'first')).toMatchObject({ outcome: 'waits' });
    expect([await codeOf(decide(id, 'first')), await screen(one)]).toEqual(['second-approver-required', 'waits']);
    expect(await decide(id, 'second')).toMatchObject({ outcome: 'clear' });
    expect([await codeOf(decide(id, 'third')), await screen(one), await queue()]).toEqual([
      'review-not-open',
      'clear',
      [],
    ]);
    expect(await ledger.ask(GetAddressReview, { reviewId: id })).toMatchObject({ outcome: 'clear' });
  });

  it('refuses after one true match, for good', async () => {
    const one = subject('one');
    await screen(one);
    await decide(addressReviewId(one), 'first');
    expect(await decide(addressReviewId(one), 'second', 'true-match')).toMatchObject({ outcome: 'refused' });
    expect([await screen(one), await screen(one, CLEAN), await queue()]).toEqual(['refused', 'refused', []]);
  });

  it('has to be decided even when the list names the address no more', async () => {
    const one = subject('one');
    await screen(one);
    expect(await screen(one, CLEAN)).toBe('waits');
  });

  it('is one of its own for each movement, and counts two verdicts at once from one person as one', async () => {
    await screen(subject('one'));
    await screen(subject('two', 'order'));
    const id = addressReviewId(subject('one'));
    const codes = await Promise.all([codeOf(decide(id, 'first')), codeOf(decide(id, 'first'))]);
    expect(codes.sort()).toEqual(['done', 'second-approver-required']);
    expect((await queue()).map((one) => one.subject.kind).sort()).toEqual(['order', 'transfer']);
    expect(await codeOf(decide(derivedId('test', 'none'), 'first'))).toBe('address-review-not-found');
  });

  it('is still open after a restart', async () => {
    const one = subject('one');
    await screen(one);
    await decide(addressReviewId(one), 'first');
    await ledger.restart();
    expect([await screen(one), (await queue()).length]).toEqual(['waits', 1]);
    expect(await decide(addressReviewId(one), 'second')).toMatchObject({ outcome: 'clear' });
  });
});

const BLOCK = { chain: 'eth-base' as const, blockNumber: '7', blockHash: '0xb' };
const DEPOSIT = derivedId('deposit', 'tainted');
const REVIEW = addressReviewId({ kind: 'deposit', id: DEPOSIT });

async function reported(event: IncomingTransfersEvent): Promise<void> {
  const stream = 'incomingTransfers-eth-base_one';
  const commandId = derivedId(stream, String(revision));
  const meta = { commandId, index: 0, count: 1, occurredAt: NOW, correlationId: commandId };
  const written = { id: eventId(commandId, 0), type: event.type, version: 1, data: event.data, meta };
  await ledger.store.append(stream, revision, [written]);
  revision += 1;
}

async function arrives(from: string): Promise<void> {
  const transfer = {
    depositId: DEPOSIT,
    accountId: ACCOUNT,
    parentId: null,
    walletId: 'w',
    asset: 'eth-base/usdc' as const,
    amount: '5.000000',
    from,
    to: '0x2',
    txHash: '0xa',
    logIndex: 0,
  };
  await reported(new IncomingTransfersSeen({ ...BLOCK, minedAt: NOW, sighting: 1, transfers: [transfer] }));
  await reported(new IncomingTransfersFinalized({ ...BLOCK, depositIds: [DEPOSIT] }));
}
const status = async () => (await ledger.ask(GetAnyDeposit, { depositId: DEPOSIT }))?.status;
const running = async () => (await ledger.ask(GetBalance, { accountId: ACCOUNT, assets: ['eth-base/usdc'] })).running;
const uncredited = async () => (await ledger.ask(GetUncreditedTokens, {})).amounts;
const FIVE = [{ asset: 'eth-base/usdc', amount: '5.000000' }];
const waits = () => eventually(async () => expect((await queue()).map(({ id }) => id)).toEqual([REVIEW]));

describe('A deposit of tokens from an address that a list names', () => {
  it('stays confirmed and in no balance, however often the sweep looks', async () => {
    await arrives(LISTED);
    await waits();
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    expect([await status(), await running(), await uncredited()]).toEqual(['confirmed', '0.000000', FIVE]);
  });

  it('is credited once after two false positives', async () => {
    await arrives(LISTED);
    await waits();
    await decide(REVIEW, 'first');
    await decide(REVIEW, 'second');
    await eventually(async () => expect(await status()).toBe('credited'));
    await ledger.tick();
    expect([await running(), await uncredited()]).toEqual(['5.000000', []]);
  });

  it('is voided after a true match: nothing is returned, and the tokens count as uncredited', async () => {
    await arrives(LISTED);
    await waits();
    await decide(REVIEW, 'first', 'true-match');
    await eventually(async () => expect(await status()).toBe('voided'));
    await ledger.tick();
    expect(await ledger.ask(GetAnyDeposit, { depositId: DEPOSIT })).toMatchObject({ voidReason: 'compliance' });
    expect([await running(), await uncredited()]).toEqual(['0.000000', FIVE]);
    expect(await ledger.types(`deposit-${DEPOSIT}`)).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositFinalized',
      'DepositVoided',
    ]);
  });

  it('waits after a restart too, and is decided then', async () => {
    await arrives(LISTED);
    await waits();
    await ledger.restart();
    await ledger.tick();
    expect(await status()).toBe('confirmed');
    await decide(REVIEW, 'first', 'true-match');
    await eventually(async () => expect(await status()).toBe('voided'));
  });
});

/** What movements reports of the transaction of a withdrawal that it will never sign. */
async function givenUp(withdrawalId: string): Promise<void> {
  const commandId = derivedId('given-up', withdrawalId);
  const meta = { commandId, index: 0, count: 1, occurredAt: NOW, correlationId: commandId };
  const { type, data } = new TransactionGivenUp({
    transactionId: commandId,
    chain: 'eth-base',
    reason: 'compliance',
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

describe('A token withdrawal whose address a list names after it has started', () => {
  it('waits in the queue beside the others, and is counted with them', async () => {
    const one = await started(CLEAN);
    expect([await screen(one), await screen(one)]).toEqual(['waits', 'waits']);
    expect(await queue()).toMatchObject([{ id: addressReviewId(one), subject: one, outcome: 'waits' }]);
    expect((await ledger.withdrawal(one.id))?.state).toBe('processing');
    expect(await open()).toMatchObject({ withdrawal: 1, transfer: 0 });
    await decide(addressReviewId(one), 'first');
    await decide(addressReviewId(one), 'second');
    expect([await screen(one), await queue()]).toEqual(['clear', []]);
  });

  it('is rolled back with compliance once movements has given it up, and its funds are released', async () => {
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

  it('opens no other review for hits that two members of staff called false before it started', async () => {
    const one = await started(LISTED);
    expect([await screen(one), await queue()]).toEqual(['clear', []]);
  });
});

describe('A deposit of tokens from another address', () => {
  it('is credited without a review', async () => {
    await arrives(CLEAN);
    await eventually(async () => expect(await status()).toBe('credited'));
    expect([await queue(), await running()]).toEqual([[], '5.000000']);
  });
});
