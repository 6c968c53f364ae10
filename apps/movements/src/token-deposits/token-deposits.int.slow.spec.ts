import 'reflect-metadata';
import type { IncomingTransfersSeen } from '@ponte/contracts';
import { RequestTokenMovement } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { Outsider, SLOW_FINALITY, arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import { incomingTransfers, incomingTransfersId } from './incoming-transfers.decider';
import { openedForTest, states, useMovementsForEachTest } from '../testing/token-deposits-for-each-test';

useMovementsForEachTest();

/** A deposit was seen, and its block replaced. */
async function reorged(...given: Parameters<typeof openedForTest>) {
  const opened = await openedForTest(...given);
  const { movements, outsider, to } = opened;
  await outsider.send(to, 7n);
  movements.base.mine();
  await eventually(() => expect(states(movements)).toEqual(['seen']));
  movements.base.reorg(1, 'forgotten');
  movements.base.mine(3);
  await eventually(() => expect(states(movements)).toEqual(['reorged']));
  return opened;
}

describe('tokens sent to a wallet from an outside address', () => {
  it('are seen, confirmed and finalized once, as blocks follow', async () => {
    const { movements, outsider, to } = await openedForTest();
    const txHash = await outsider.send(to, 1_500_000n);
    movements.base.mine();
    await eventually(() => expect(states(movements)).toEqual(['seen']));
    expect(arrivals(movements)[0]).toMatchObject({
      accountId: derivedId('account', 'one'),
      parentId: 'parent',
      asset: 'eth-base/usdc',
      amount: '1.500000',
      to,
      txHash,
      logIndex: 0,
    });
    movements.base.mine(1);
    await eventually(() => expect(states(movements)).toEqual(['confirmed']));
    movements.base.mine(7);
    await movements.rounds.pass();
    expect(states(movements)).toEqual(['confirmed']);
    movements.base.mine(1);
    await eventually(() => expect(states(movements)).toEqual(['final']));
    movements.base.mine(40);
    await movements.rounds.pass();
    expect(movements.types().filter((type) => type.startsWith('IncomingTransfers'))).toEqual([
      'IncomingTransfersSeen',
      'IncomingTransfersConfirmed',
      'IncomingTransfersFinalized',
    ]);
  });

  it('are final with their block on tempo, and are reported with eighteen decimals instead of six', async () => {
    const { movements, wallets } = await openedForTest({ instant: true });
    const tempo = new Outsider(movements.chains.get('tempo') as SimulatedChain);
    await tempo.send(wallets.tempo, 1n, 'tempo/brlv');
    await tempo.send(wallets.tempo, 2_000_001n, 'tempo/brlv');
    await eventually(() =>
      expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000001000000000000', '2.000001000000000000']),
    );
  });

  it('vanish with a replaced block, and are another deposit in the block that includes them again', async () => {
    const { movements, outsider, to } = await reorged();
    await outsider.resync();
    await outsider.send(to, 8n);
    movements.base.mine(3);
    await eventually(() => expect(states(movements)).toEqual(['reorged', 'confirmed']));
    movements.base.reorg(3, 'repooled');
    movements.base.mine(15);
    await eventually(() =>
      expect(arrivals(movements).map(({ state, amount }) => [state, amount])).toEqual([
        ['reorged', '0.000007'],
        ['reorged', '0.000008'],
        ['final', '0.000008'],
      ]),
    );
    const [, first, second] = arrivals(movements);
    expect([first?.txHash, first?.depositId === second?.depositId, first?.blockHash === second?.blockHash]).toEqual([
      second?.txHash,
      false,
      false,
    ]);
  });

  it('vanish at finality if a process that lost the lease sees their replaced block again', async () => {
    const { movements } = await reorged({ ...SLOW_FINALITY, replicated: true });
    const [seen] = movements.ofType('IncomingTransfersSeen') as Recorded<IncomingTransfersSeen>[];
    if (seen === undefined) throw new Error('the deposit must have been seen');
    const { transfers, minedAt, sighting: _, ...block } = seen.data;
    const late = { kind: 'see', block, minedAt, transfers } as const;
    const other = new Aggregates({ store: movements.store, systemNow: Date.now, pause: async () => undefined });
    const context = commandContext(movements.context(), Date);
    await other.handle(incomingTransfers, incomingTransfersId(block), late, context);
    expect(states(movements)).toEqual(['reorged', 'seen']);
    movements.base.mine(10);
    await eventually(() => {
      movements.base.mine();
      expect(states(movements)).toEqual(['reorged', 'reorged']);
    });
  });

  it('are one deposit for each of 1,000 logs of one block, in events that a broker accepts', async () => {
    const { movements, outsider, to } = await openedForTest({ ...SLOW_FINALITY, finality: 1 });
    for (let at = 0; at < 1_000; at += 1) await outsider.send(to, BigInt(at + 1));
    movements.base.mine();
    await eventually(() => expect(finals(movements)).toHaveLength(1_000), 60_000);
    expect(new Set(finals(movements).map(({ blockHash }) => blockHash)).size).toBe(1);
    expect(movements.ofType('IncomingTransfersSeen')).toHaveLength(10);
  });
});

describe('transfers that are not deposits', () => {
  it('include zero units, a look-alike contract, a mint, and a movement between our wallets', async () => {
    const { movements, outsider, to } = await openedForTest({ instant: true });
    await outsider.send(to, 0n);
    await outsider.send(to, 5n, 'eth-base/usdc', `0x${'ee'.repeat(20)}`);
    await movements.mint('own', { to, amount: '3' });
    await movements.ended('own');
    const other = await walletsOf(movements, derivedId('account', 'two'));
    const movementId = derivedId('movement', 'one');
    await movements.bus.request(
      RequestTokenMovement,
      {
        movementId,
        owner: { kind: 'transfer', id: movementId },
        accountId: derivedId('account', 'one'),
        asset: 'eth-base/brlv',
        amount: '1',
        destination: other['eth-base'],
        sourceWalletId: null,
      },
      movements.context(),
    );
    await eventually(async () =>
      expect(await movements.base.tokenBalance('eth-base/brlv', other['eth-base'])).toBe(10n ** 18n),
    );
    await outsider.send(`0x${'dd'.repeat(20)}`, 9n);
    await outsider.send(to, 6n);
    await eventually(() => expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000006']));
    expect(arrivals(movements)).toHaveLength(1);
  });
});
