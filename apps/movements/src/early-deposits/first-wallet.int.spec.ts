import 'reflect-metadata';
import { derivedId, Unavailable } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { EvmChain } from '../chain/chain.port';
import { BEYOND_THE_OVERLAP, behindNode } from '../testing/early-deposits-under-test';
import { Outsider, SLOW_FINALITY, finals, walletsOf } from '../testing/deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';

let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
/** While set, the node names its final block and then stops answering. */
let silent: boolean;
let failures: number;

/** The chain behind a node that can stop answering within a round. */
function serve(chain: EvmChain): EvmChain {
  let blocks = 0;
  return behindNode(chain, (node) => ({
    finalBlock: () => {
      blocks = 0;
      return node.finalBlock();
    },
    blockWithTime: async (number) => {
      blocks += 1;
      if (!silent || blocks === 1) return node.blockWithTime(number);
      failures += 1;
      throw new Unavailable('chain-unavailable', 'the node stopped answering');
    },
  }));
}

beforeEach(async () => {
  folder = temporaryFolder();
  silent = true;
  failures = 0;
  movements = await new MovementsUnderTest(folder.path, { ...SLOW_FINALITY, forget: false, serve }).start();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

it('a deposit to the first wallet is credited when the wallet was created after the first scan had failed', async () => {
  await eventually(() => expect(failures).toBeGreaterThan(10));
  const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
  await new Outsider(movements.base).send(to, 1n);
  movements.base.mine(BEYOND_THE_OVERLAP);
  silent = false;
  await eventually(() => expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000001']));
});
