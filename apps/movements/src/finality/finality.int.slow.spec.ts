import 'reflect-metadata';
import { Unavailable, derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { agreedEvidence } from '../chain/adapters/rpc/agreement';
import { signed } from '../chain/adapters/chain-under-test.testing';
import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { Setup } from '../testing/movements-under-test';
import { TO, MovementsUnderTest, signer } from '../testing/movements-under-test';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { EvmChain, Hex } from '../chain/chain.port';

let folder: ReturnType<typeof temporaryFolder>;
let underTests: MovementsUnderTest[] = [];
const open = (setup?: Setup): MovementsUnderTest => {
  const movements = new MovementsUnderTest(folder.path, setup);
  underTests.push(movements);
  return movements;
};
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(underTests.map((movements) => movements.stop()));
  underTests = [];
  folder.remove();
});

const AMOUNT = 25n * 10n ** 17n;
/** Long enough for many rounds over everything unfinished (25 ms apart). */
const ends = (movements: MovementsUnderTest) =>
  movements
    .types()
    .filter((type) => ['TransactionConfirmed', 'TransactionReverted', 'TransactionSuperseded'].includes(type));

/**
 * Two nodes of one network behind one port: heads and counts come from the first node, receipts and contract state from
 * the second.
 */
function twoNodes() {
  const second = new SimulatedChain({ chain: 'eth-base', instant: false, finality: 2 });
  const serve = (first: SimulatedChain): EvmChain => {
    if (first.chain !== 'eth-base') return first;
    const overrides: Partial<EvmChain> = {
      broadcast: async (raw) => {
        await second.broadcast(raw);
        return first.broadcast(raw);
      },
      transaction: (hash) => second.transaction(hash),
      taken: (by, reference) => second.taken(by, reference),
      takenIn: (by, reference) => second.takenIn(by, reference),
      atFinality: (question) => agreedEvidence([first, second], question),
    };
    return Object.assign(Object.create(first) as EvmChain, overrides);
  };
  return { second, setup: { instant: false, confirmations: 2, serve } };
}

describe('money is returned only at finality', () => {
  it('not while the node with the receipts lags behind the one that counts: the mint exists and is confirmed', async () => {
    const { second, setup } = twoNodes();
    const movements = await open(setup).start();
    await movements.mint('lagging');
    await movements.broadcast('lagging');
    movements.base.mine(5);
    await movements.rounds.pass();
    expect(ends(movements)).toEqual([]);
    second.mine(5);
    movements.base.mine(1);
    await expect(movements.ended('lagging')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });

  it.each(['stalls', 'is on a fork'] as const)('not while one of two nodes %s', async (how) => {
    const { second, setup } = twoNodes();
    const movements = await open(setup).start();
    await movements.diesAfter('TransactionSigned', 'robbed');
    const call = movements.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
    const rival = await signed(movements.base, signer, 'operator', call, 0);
    for (const node of [movements.base, second]) {
      await node.broadcast(rival.raw);
      node.mine(4);
    }
    if (how === 'stalls') second.setReachable(false);
    else {
      second.reorg(4, 'repooled');
      second.mine(8);
    }
    await movements.start();
    await movements.rounds.pass();
    expect(ends(movements)).toEqual([]);
    if (how === 'stalls') {
      second.setReachable(true);
      await expect(movements.ended('robbed')).resolves.toMatchObject({ state: 'failed' });
    }
  });

  it('even after a revert, however many confirmations it has', async () => {
    const movements = await open({ instant: false, confirmations: 1, finality: 6 }).start();
    movements.base.script({ kind: 'revert' });
    await movements.mint('reverted');
    await movements.broadcast('reverted');
    movements.base.mine(5);
    await movements.rounds.pass();
    expect(ends(movements)).toEqual([]);
    movements.base.mine(1);
    await expect(movements.ended('reverted')).resolves.toMatchObject({ state: 'failed' });
  });

  it('so a mint that reverts but succeeds after a reorg is completed, and nothing is returned', async () => {
    const movements = await open({ instant: false, confirmations: 1, finality: 6 }).start();
    movements.base.script({ kind: 'revert' });
    await movements.mint('second chance');
    await movements.broadcast('second chance');
    movements.base.mine(3);
    await movements.rounds.pass(2);
    movements.base.reorg(3, 'forgotten');
    await eventually(async () => {
      movements.base.mine(1);
      expect(ends(movements)).toEqual(['TransactionConfirmed']);
    });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });
});

describe('a look-up of a reference that fails', () => {
  it('does not keep other transactions from being sent again', async () => {
    const serve = (first: SimulatedChain): EvmChain =>
      Object.assign(Object.create(first) as EvmChain, {
        takenIn: () => Promise.reject(new Unavailable('chain-unavailable', 'query returned more than 10000 results')),
      });
    const movements = await open({ serve }).start();
    await movements.diesAfter('TransactionSigned', 'taken');
    const call = movements.base.mintCall({
      reference: referenceOf(derivedId('mint', 'taken')),
      asset: 'eth-base/brlv',
      to: TO,
      units: AMOUNT,
    });
    await movements.base.broadcast(
      (
        await signed(
          movements.base,
          signer,
          'operator',
          movements.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n }),
          0,
        )
      ).raw,
    );
    await movements.base.broadcast((await signed(movements.base, signer, 'another key', call)).raw);
    await movements.start();
    // Its nonce is used, and another key made its mint in a transaction that cannot be found: each round searches for
    // it and fails.
    await movements.rounds.pass(4);
    movements.base.script({ kind: 'drop' });
    await movements.mint('bystander');
    await expect(movements.ended('bystander')).resolves.toMatchObject({ state: 'completed' });
    expect(ends(movements)).toEqual(['TransactionConfirmed']);
    await expect(movements.base.nextNonce((await signer.addressOf('operator')) as Hex, 'latest')).resolves.toBe(2);
  });
});
