import 'reflect-metadata';
import type { TokenWithdrawalOutcome } from '@ponte/contracts';
import {
  GetAnyWithdrawal,
  ProvisionWallets,
  SettleTokenWithdrawal,
  WithdrawalProcessingStarted,
} from '@ponte/contracts';
import type { EventToAppend } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();
const asset = 'eth-base/brlv';
const accountId = derivedId('account', 'one');
const withdrawalId = derivedId('withdrawal', 'one');
const limitOf = (transaction: string) => ({ replicated: true, limits: { [asset]: { transaction, hour: '100' } } });
const second = temporaryFolder();
afterAll(() => second.remove());

/** What the processes reported to the ledger. */
let reported: TokenWithdrawalOutcome[];
/** The ends of the withdrawal: each of them releases its funds or takes them out of the books. */
const endsIn = (movements: MovementsUnderTest) => [
  ...reported.map(({ state }) => state),
  ...movements.types().filter((type) => type === 'TransactionGivenUp' || type === 'TransactionSigned'),
];

function started(): EventToAppend {
  const [commandId, occurredAt] = [derivedId('start', withdrawalId), new Date().toISOString()];
  const { type, data } = new WithdrawalProcessingStarted({
    withdrawalId,
    accountId,
    method: 'token',
    asset,
    amount: '2.500000000000000000',
    holdId: derivedId('hold', withdrawalId),
    destinationWalletAddress: `0x${'cd'.repeat(20)}`,
    startedAt: occurredAt,
  });
  const meta = { commandId, index: 0, count: 1, occurredAt, correlationId: commandId };
  return { id: eventId(commandId, 0), type, version: 1, data, meta };
}

/** Answers as the ledger. The withdrawal is read before `after` resolves, and the answer arrives later. */
function answer(movements: MovementsUnderTest, after: () => Promise<unknown>): void {
  movements.bus.handle(GetAnyWithdrawal.pattern, async () => {
    const record = { state: 'processing' };
    await after();
    return record;
  });
  movements.bus.handle(SettleTokenWithdrawal.pattern, async (payload) => {
    reported.push((payload as { outcome: TokenWithdrawalOutcome }).outcome);
    return { state: 'rolled-back' };
  });
}

describe('A withdrawal that one process may sign and another may not', () => {
  it('has one end when both of them get its event', async () => {
    reported = [];
    const high = await open(limitOf('100')).start();
    const low = await open({ ...limitOf('2'), beside: high }).start(second.path);
    const decided = () => eventually(() => expect(reported.length + high.ofType('TransactionIntended').length).toBe(1));
    answer(low, async () => undefined);
    answer(high, decided);
    await high.bus.request(ProvisionWallets, { accountId, parentId: null }, high.context());
    await high.store.append(`withdrawal-${withdrawalId}`, -1, [started()]);
    // A store wakes its own readers only.
    await low.bus.request(ProvisionWallets, { accountId: 'another', parentId: null }, low.context());
    await decided();
    await eventually(() => expect(endsIn(high)).not.toEqual([]));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(endsIn(high)).toHaveLength(1);
  });
});
