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
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { EvmChain, Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();
const asset = 'eth-base/brlv';
const accountId = derivedId('account', 'one');
const withdrawalId = derivedId('withdrawal', 'one');
const DESTINATION: Hex = `0x${'cd'.repeat(20)}`;
const limitOf = (transaction: string) => ({ replicated: true, limits: { [asset]: { transaction, hour: '100' } } });
let second: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  second = temporaryFolder();
});
afterEach(() => second.remove());

/** What the processes reported to the ledger. */
let reported: TokenWithdrawalOutcome[];
/** The ends of the withdrawal: each of them releases its funds or takes them out of the books. */
const endsIn = (movements: MovementsUnderTest) => [
  ...reported.map(({ state }) => state),
  ...movements.types().flatMap((type) => (type === 'TransactionGivenUp' ? ['failed'] : [])),
  ...movements.types().flatMap((type) => (type === 'TransactionSigned' ? ['sent'] : [])),
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
    destinationWalletAddress: DESTINATION,
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

const outside = { serve: (chain: SimulatedChain): EvmChain => chain };
/** The settings of a process that knows a contract of ours at the destination. */
const house = {
  serve: (chain: SimulatedChain): EvmChain =>
    Object.create(chain, { contracts: { value: new Set([...chain.contracts, DESTINATION]) } }) as EvmChain,
};

describe('A withdrawal that one process sends and another refuses', () => {
  it.each([
    ['because its limit of the signer is lower', limitOf('2'), outside],
    ['because the destination is one of our contracts', limitOf('100'), house],
  ])('%s, either moves tokens or fails when both of them get its event', async (_, limits, serving) => {
    reported = [];
    const sends = await open(limitOf('100')).start();
    const refuses = await open({ ...limits, ...serving, beside: sends }).start(second.path);
    const decided = () =>
      eventually(() => expect(reported.length + sends.ofType('TransactionIntended').length).toBeGreaterThan(0));
    answer(refuses, async () => undefined);
    answer(sends, decided);
    await sends.bus.request(ProvisionWallets, { accountId, parentId: null }, sends.context());
    await sends.store.append(`withdrawal-${withdrawalId}`, -1, [started()]);
    // A store wakes its own readers only.
    await refuses.bus.request(ProvisionWallets, { accountId: 'another', parentId: null }, refuses.context());
    await eventually(() => expect(sends.types()).toContain('TransactionIntended'));
    await eventually(() => expect(endsIn(sends)).not.toEqual([]));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(new Set(endsIn(sends))).toEqual(new Set([endsIn(sends)[0]]));
  });
});
