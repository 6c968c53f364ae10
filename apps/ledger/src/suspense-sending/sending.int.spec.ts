import 'reflect-metadata';
import type { GiveUpReason, TokenMovementPurpose } from '@ponte/contracts';
import {
  ConfirmSetAside,
  ConfirmSuspenseSettlement,
  FailSuspenseSending,
  GetTrialBalance,
  HasSuspenseSendingEnded,
  ListFailedReturns,
  ListStartedSuspenseSendings,
  ProposeSuspenseSending,
  RejectSuspenseSettlement,
  RequestSetAside,
  SANCTIONED_SANDBOX_ADDRESS,
  TransactionConfirmed,
  TransactionGivenUp,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { Refusal, derivedId, isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';
import { FIRST_PAGE, ReportedTransfers, depositIdOf, final, seen } from '../testing/reported-transfers';
import { sendingMovementId } from './sending.domain';
import { DESTINATION } from './sending.testing';

const ledger = ledgerForEachTest({ booksBalance: true });
const DAY_MS = 86_400_000;
const ID = depositIdOf('a');
const AT = '2026-11-20T12:00:00.000Z';

beforeEach(async () => {
  const tokens = new ReportedTransfers(ledger);
  ledger.status.set(ACCOUNT, 'closed');
  await tokens.report(seen('a'));
  await tokens.report(final('a'));
  await eventually(async () => expect(await ledger.types(`deposit-${ID}`)).toContain('DepositFinalized'));
  await ledger.ask(RequestSetAside, { depositId: ID, staffId: 'first' });
  await ledger.ask(ConfirmSetAside, { depositId: ID, request: 1, staffId: 'second' });
});

const propose = (destination = DESTINATION, staffId = 'first', depositId = ID) =>
  ledger.ask(ProposeSuspenseSending, { depositId, destination, reference: 'TICKET-1', staffId });
const confirm = (staffId = 'second', proposal = 1) =>
  ledger.ask(ConfirmSuspenseSettlement, { depositId: ID, proposal, staffId });
const reject = (staffId = 'second', proposal = 1) =>
  ledger.ask(RejectSuspenseSettlement, { depositId: ID, proposal, staffId });
const code = (response: Promise<unknown>) =>
  response.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
const lines = async () => {
  const { lines: all } = await ledger.ask(GetTrialBalance, { customers: false });
  const of = (name: string) =>
    all.find(({ account, asset }) => account === `house:${name}` && asset === 'eth-base/usdc')?.amount ?? '0.000000';
  return ['suspense', 'external', 'clearing'].map(of);
};
const listed = async () =>
  (await ledger.ask(ListFailedReturns, { filters: { status: null, cause: 'set-aside' }, page: FIRST_PAGE })).items[0];
/** What was started by now, or by another time. */
const started = async (startedBefore = isoTime(ledger.now)) =>
  (await ledger.ask(ListStartedSuspenseSendings, { startedBefore, page: FIRST_PAGE })).items;
/** Since when the oldest tokens that staff have not settled are set aside, in days. */
const ageDays = async () => {
  const metric = ledger.engines.metrics.registry.getSingleMetric('ponte_set_aside_oldest_seconds');
  return ((await metric?.get())?.values[0]?.value ?? NaN) / 86_400;
};
const types = async () => (await ledger.types(`deposit-${ID}`)).filter((type) => type.startsWith('SuspenseSe'));

const purpose = (proposal: number, receiver: TokenMovementPurpose['receiver'] = null): TokenMovementPurpose => ({
  ...{ kind: 'token-movement', id: sendingMovementId(ID, proposal), owner: { kind: 'suspense', id: ID } },
  ...{ accountId: ACCOUNT, asset: 'eth-base/usdc', amount: '5.000000', walletIds: ['w'], from: '0x2' },
  ...{ to: DESTINATION, receiver },
});
/** Appends an event of the movement, as the movements service does. */
async function moved({ type, data }: TransactionConfirmed | TransactionGivenUp, name: string): Promise<void> {
  const [stream, commandId] = [`chainTransaction-${derivedId(name)}`, derivedId('moved', name)];
  const meta = { commandId, index: 0, count: 1, occurredAt: AT, correlationId: commandId };
  await ledger.store.append(stream, -1, [{ id: eventId(commandId, 0), type, version: 1, data, meta }]);
}
const confirmed = (of: TokenMovementPurpose) =>
  new TransactionConfirmed({
    ...{ transactionId: 't', chain: 'eth-base', purpose: of, txHash: '0xc', blockNumber: '1', blockHash: '0xb' },
    ...{ minedAt: AT, confirmedAt: AT, from: '0xf', nonce: 0, final: true },
  });
const givenUp = (of: TokenMovementPurpose, reason: GiveUpReason = 'compliance') =>
  new TransactionGivenUp({ transactionId: 't', chain: 'eth-base', purpose: of, reason, givenUpAt: AT });

describe('Tokens in suspense', () => {
  it('leave suspense once their movement is confirmed, however often it is reported', async () => {
    expect(await propose()).toMatchObject({ status: 'proposed', sending: { destination: DESTINATION } });
    expect(await code(confirm('first'))).toBe('second-member-required');
    await Promise.all(['second', 'third', 'second'].map((staffId) => confirm(staffId)));
    expect(await listed()).toMatchObject({ status: 'sending' });
    await eventually(async () => expect(await lines()).toEqual(['5.000000', '-5.000000', '0.000000']));
    await moved(confirmed(purpose(1)), 'one');
    await moved(confirmed(purpose(1)), 'again');
    await eventually(async () =>
      expect(await listed()).toMatchObject({ status: 'settled', sending: { txHash: '0xc' } }),
    );
    await eventually(async () => expect(await lines()).toEqual(['0.000000', '0.000000', '0.000000']));
    expect(await types()).toEqual(['SuspenseSendingProposed', 'SuspenseSendingStarted', 'SuspenseSent']);
    expect(await ledger.ask(HasSuspenseSendingEnded, { depositId: ID, proposal: 1 })).toEqual({ ended: true });
  });

  it('are reported with the time since they were set aside, even after a restart, until they have left', async () => {
    ledger.now += 2 * DAY_MS;
    await eventually(async () => expect(await ageDays()).toBe(2));
    await ledger.stop();
    await ledger.boot();
    await eventually(async () => expect(await ageDays()).toBe(2));
    await propose();
    await confirm();
    await eventually(async () => expect(await lines()).toEqual(['5.000000', '-5.000000', '0.000000']));
    expect(await ageDays()).toBe(2);
    await moved(confirmed(purpose(1)), 'one');
    await eventually(async () => expect(await ageDays()).toBe(0));
  });

  it('become a deposit of the Ponte account that receives them', async () => {
    const other = derivedId('account', 'other');
    ledger.status.set(other, 'active');
    await propose();
    await confirm();
    await moved(confirmed(purpose(1, { accountId: other, parentId: null, walletId: 'w2' })), 'one');
    await eventually(async () => {
      expect(await lines()).toEqual(['0.000000', '-5.000000', '0.000000']);
      expect(await ledger.types(`ledgerAccount-${other}`)).toEqual(['DepositPosted']);
    });
  });

  it('can be sent to another address after their movement was given up or refused', async () => {
    await propose();
    await confirm();
    await moved(givenUp(purpose(1)), 'one');
    await eventually(async () =>
      expect(await listed()).toMatchObject({ status: 'open', sendingFailure: { code: 'compliance' } }),
    );
    expect(await ledger.ask(HasSuspenseSendingEnded, { depositId: ID, proposal: 1 })).toEqual({ ended: true });
    await propose(DESTINATION, 'second');
    await confirm('first', 2);
    const failure = { code: 'invalid-address', message: 'Nothing was moved.', retryable: false };
    const refusal = { depositId: ID, movementId: sendingMovementId(ID, 2), failure };
    for (let times = 0; times < 2; times += 1) await ledger.ask(FailSuspenseSending, refusal);
    expect(await listed()).toMatchObject({ status: 'open', sendingFailure: { code: 'invalid-address' } });
    await eventually(async () => expect(await lines()).toEqual(['5.000000', '-5.000000', '0.000000']));
    await propose();
    await confirm('second', 3);
    await moved(confirmed(purpose(3)), 'three');
    await eventually(async () => expect(await listed()).toMatchObject({ status: 'settled' }));
  });

  it('return to suspense when the key of their movement will never be available again', async () => {
    await propose();
    await confirm();
    await moved(givenUp(purpose(1), 'key-unavailable'), 'one');
    await eventually(async () =>
      expect(await listed()).toMatchObject({ status: 'open', sendingFailure: { code: 'superseded' } }),
    );
  });

  it('are not sent to an address that movements refuses or that a sanctions list names', async () => {
    expect(await code(propose(SANCTIONED_SANDBOX_ADDRESS))).toBe('address-refused');
    ledger.refusedDestinations.set('0xhouse', 'invalid-address');
    expect(await code(propose('0xhouse'))).toBe('invalid-address');
    await propose();
    // The account that has the address was closed in the meantime.
    ledger.refusedDestinations.set(DESTINATION, 'invalid-address');
    expect(await code(confirm())).toBe('invalid-address');
    expect(await reject()).toMatchObject({ status: 'open', sending: null });
    expect(await types()).toEqual(['SuspenseSendingProposed', 'SuspenseSendingRejected']);
  });

  it('are listed with their movement from when they are started until they have left', async () => {
    await propose();
    expect(await started()).toEqual([]);
    await confirm();
    const movement = { movementId: sendingMovementId(ID, 1), accountId: ACCOUNT, asset: 'eth-base/usdc' };
    const sending = { depositId: ID, proposal: 1, ...movement, amount: '5.000000', destination: DESTINATION };
    expect(await started()).toEqual([sending]);
    expect(await started(isoTime(ledger.now - 1))).toEqual([]);
    await moved(givenUp(purpose(1)), 'one');
    await eventually(async () => expect(await started()).toEqual([]));
    await propose();
    await confirm('second', 2);
    expect(await started()).toMatchObject([{ proposal: 2, movementId: sendingMovementId(ID, 2) }]);
    await moved(confirmed(purpose(2)), 'two');
    await eventually(async () => expect(await started()).toEqual([]));
  });

  it('are required: the id of any other deposit is refused', async () => {
    expect(await code(propose(DESTINATION, 'first', depositIdOf('none')))).toBe('failed-return-not-found');
  });
});
