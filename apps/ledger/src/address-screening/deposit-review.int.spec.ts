import type { IncomingTransfersEvent } from '@ponte/contracts';
import {
  GetAnyDeposit,
  GetBalance,
  GetUncreditedTokens,
  IncomingTransfersFinalized,
  IncomingTransfersSeen,
  ListAddressReviews,
  RequestSetAside,
  SANCTIONED_SANDBOX_ADDRESS as LISTED,
  addressReviewId,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { Refusal, derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ACCOUNT } from '../testing/ledger-under-test';
import { decideAsRead } from '../testing/address-reviews';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const CLEAN = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf';
const NOW = '2026-11-20T12:00:00.000Z';
const ledger = ledgerForEachTest({ booksBalance: true });
let revision: number;
beforeEach(() => {
  revision = -1;
});
const decide = (reviewId: string, staffId: string, verdict: 'false-positive' | 'true-match' = 'false-positive') =>
  decideAsRead(ledger, reviewId, staffId, verdict);
const queue = async () => (await ledger.ask(ListAddressReviews, {})).reviews;

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
const refused = async () => (await ledger.ask(GetUncreditedTokens, {})).refused;
const FIVE = [{ asset: 'eth-base/usdc', amount: '5.000000' }];
const waits = () => eventually(async () => expect((await queue()).map(({ id }) => id)).toEqual([REVIEW]));

describe('A deposit of tokens from a listed address', () => {
  it('stays confirmed and is in no balance, however often the timers run', async () => {
    await arrives(LISTED);
    await waits();
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    expect([await status(), await running(), await uncredited()]).toEqual(['confirmed', '0.000000', FIVE]);
  });

  it('is credited once after two false-positive verdicts', async () => {
    await arrives(LISTED);
    await waits();
    await decide(REVIEW, 'first');
    await decide(REVIEW, 'second');
    await eventually(async () => expect(await status()).toBe('credited'));
    await ledger.tick();
    expect([await running(), await uncredited()]).toEqual(['5.000000', []]);
  });

  it('is voided after a true match: nothing is returned, and the tokens count as refused', async () => {
    await arrives(LISTED);
    await waits();
    await decide(REVIEW, 'first', 'true-match');
    await eventually(async () => expect(await status()).toBe('voided'));
    await ledger.tick();
    expect(await ledger.ask(GetAnyDeposit, { depositId: DEPOSIT })).toMatchObject({ voidReason: 'compliance' });
    expect([await running(), await uncredited(), await refused()]).toEqual(['0.000000', [], FIVE]);
    expect(await ledger.types(`deposit-${DEPOSIT}`)).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositFinalized',
      'DepositVoided',
    ]);
  });

  it('still waits after a restart, and can then be decided', async () => {
    await arrives(LISTED);
    await waits();
    await ledger.restart();
    await ledger.tick();
    expect(await status()).toBe('confirmed');
    await decide(REVIEW, 'first', 'true-match');
    await eventually(async () => expect(await status()).toBe('voided'));
  });
});

describe('A deposit of tokens from a listed address to a closed account', () => {
  const setAside = () =>
    ledger.ask(RequestSetAside, { depositId: DEPOSIT, staffId: 'staff' }).then(
      () => 'not refused',
      (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
    );
  beforeEach(async () => {
    ledger.status.set(ACCOUNT, 'closed');
    await arrives(LISTED);
    await waits();
  });

  it('is voided after a true match, as for any other account', async () => {
    expect(await setAside()).toBe('deposit-not-waiting');
    await decide(REVIEW, 'first', 'true-match');
    await eventually(async () => expect(await status()).toBe('voided'));
    expect([await running(), await refused(), await setAside()]).toEqual(['0.000000', FIVE, 'deposit-not-waiting']);
  });

  it('can be set aside only after two false-positive verdicts', async () => {
    await decide(REVIEW, 'first');
    expect(await setAside()).toBe('deposit-not-waiting');
    await decide(REVIEW, 'second');
    await ledger.tick();
    expect([await status(), await setAside()]).toEqual(['confirmed', 'not refused']);
  });
});

describe('A deposit of tokens from an address that is not listed', () => {
  it('is credited without a review', async () => {
    await arrives(CLEAN);
    await eventually(async () => expect(await status()).toBe('credited'));
    expect([await queue(), await running()]).toEqual([[], '5.000000']);
  });
});
