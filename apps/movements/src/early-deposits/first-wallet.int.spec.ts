import 'reflect-metadata';
import { derivedId, Unavailable } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { EvmChain } from '../chain/chain.port';
import { Outsider, SLOW_FINALITY, finals, walletsOf } from '../testing/deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';
import type { LogNode } from '../token-deposits/transfer-logs.port';

/** More blocks than the scan reads again with the next ones. */
const BEYOND_THE_OVERLAP = 100;
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
/** While set, the node names its final block and then stops answering. */
let silent: boolean;
let failures: number;

/** The chain behind a node that can stop answering within a round. */
function serve(chain: EvmChain): EvmChain {
  const [node] = chain.logNodes as unknown as [LogNode];
  let blocks = 0;
  const halfway = Object.assign(Object.create(node) as LogNode, {
    finalBlock: () => {
      blocks = 0;
      return node.finalBlock();
    },
    blockWithTime: async (number: number) => {
      blocks += 1;
      if (!silent || blocks === 1) return node.blockWithTime(number);
      failures += 1;
      throw new Unavailable('chain-unavailable', 'the node stopped answering');
    },
  });
  return Object.assign(Object.create(chain) as EvmChain, { logNodes: [halfway] });
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
