import 'reflect-metadata';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { EvmChain, Hex } from '../chain/chain.port';
import { SLOW_FINALITY, arrivals, finals } from '../testing/deposits-under-test';
import type { LogNode } from '../transfer-logs/transfer-logs.port';
import { openedForTest, useMovementsForEachTest } from '../testing/token-deposits-for-each-test';

useMovementsForEachTest();

/** A chain with other nodes than its own. */
const withNodes = (chain: EvmChain, logNodes: readonly LogNode[]): EvmChain =>
  Object.assign(Object.create(chain) as EvmChain, { logNodes });
const misbehaving = (node: LogNode, changes: Partial<LogNode>): LogNode =>
  Object.assign(Object.create(node) as LogNode, changes);

describe('a node that misbehaves', () => {
  /** Adds a second node of the same chain, which misbehaves until the test ends the fault. */
  async function twoNodes(lie: (node: LogNode) => Partial<LogNode>) {
    const lying = { now: true };
    const serve = (chain: SimulatedChain): EvmChain => {
      const [node] = chain.logNodes as unknown as [LogNode];
      const changes = Object.fromEntries(
        Object.entries(lie(node)).map(([name, lied]) => [
          name,
          (...given: never[]) =>
            (
              (lying.now ? lied : (node[name as keyof LogNode] as (...all: never[]) => unknown).bind(node)) as (
                ...all: never[]
              ) => unknown
            )(...given),
        ]),
      );
      return withNodes(chain, [node, misbehaving(node, changes)]);
    };
    return { lying, ...(await openedForTest({ ...SLOW_FINALITY, finality: 3, serve })) };
  }

  it.each<[string, (node: LogNode) => Partial<LogNode>]>([
    ['hides logs', () => ({ transferLogs: async () => [] })],
    [
      'invents logs',
      (node) => ({
        transferLogs: async (...range) => {
          const logs = await node.transferLogs(...range);
          return logs === 'too-much' ? logs : logs.map((log) => ({ ...log, units: log.units + 1n }));
        },
      }),
    ],
    ['does not have the transactions', () => ({ minedTransaction: async () => null })],
    ['has other logs in a block', () => ({ blockTransfers: async () => [] })],
    [
      'is on a fork',
      (node) => ({
        blockWithTime: async (number) => ({ number, time: 0, hash: `0x${'f'.repeat(64)}` as Hex }),
        transferLogs: (...range) => node.transferLogs(...range),
      }),
    ],
    [
      'does not answer',
      () => ({
        finalBlock: async () => {
          throw new Unavailable('chain-unavailable');
        },
        headBlock: async () => {
          throw new Unavailable('chain-unavailable');
        },
      }),
    ],
    [
      'lags',
      () => ({
        finalBlock: async () => {
          throw new Unavailable('chain-unavailable');
        },
        headBlock: async () => {
          throw new Unavailable('chain-unavailable');
        },
      }),
    ],
  ])('(%s) delays credits until two nodes agree, and then everything is credited once', async (_, lie) => {
    const { movements, outsider, to, lying } = await twoNodes(lie);
    await outsider.send(to, 11n);
    movements.base.mine(2);
    await outsider.send(to, 12n);
    movements.base.mine(6);
    await movements.rounds.pass();
    expect(finals(movements)).toEqual([]);
    lying.now = false;
    await eventually(() => expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000011', '0.000012']));
    expect(arrivals(movements)).toHaveLength(2);
  });

  it('lags behind the other: blocks are read when it gets them', async () => {
    const behind = { by: 5 };
    const serve = (chain: SimulatedChain): EvmChain => {
      const [node] = chain.logNodes as unknown as [LogNode];
      const old = async (block: { number: number }) =>
        ({ ...block, ...(await node.blockWithTime(Math.max(0, block.number - behind.by))) }) as never;
      return withNodes(chain, [
        node,
        misbehaving(node, {
          finalBlock: async () => old(await node.finalBlock()),
          headBlock: async () => old(await node.headBlock()),
        }),
      ]);
    };
    const { movements, outsider, to } = await openedForTest({ ...SLOW_FINALITY, finality: 3, serve });
    await outsider.send(to, 13n);
    movements.base.mine(4);
    await movements.rounds.pass();
    expect(arrivals(movements)).toEqual([]);
    movements.base.mine(4);
    await eventually(() => expect(finals(movements)).toHaveLength(1));
  });

  it('numbers the logs of final blocks in another way: nothing is credited twice, and later deposits are', async () => {
    const shift = { by: 0 };
    const serve = (chain: SimulatedChain): EvmChain => {
      const [node] = chain.logNodes as unknown as [LogNode];
      const transferLogs: LogNode['transferLogs'] = async (...range) => {
        const logs = await node.transferLogs(...range);
        return logs === 'too-much' ? logs : logs.map((log) => ({ ...log, logIndex: log.logIndex + shift.by }));
      };
      const blockTransfers: LogNode['blockTransfers'] = async (...block) => {
        const logs = await node.blockTransfers(...block);
        return logs === 'too-much' ? logs : logs.map((log) => ({ ...log, logIndex: log.logIndex + shift.by }));
      };
      return withNodes(chain, [misbehaving(node, { transferLogs, blockTransfers })]);
    };
    const { movements, outsider, to } = await openedForTest({ ...SLOW_FINALITY, finality: 2, serve });
    await outsider.send(to, 14n);
    movements.base.mine(3);
    await eventually(() => expect(finals(movements)).toHaveLength(1));
    await movements.stop();
    shift.by = 10;
    await movements.start();
    await outsider.send(to, 15n);
    movements.base.mine(3);
    await eventually(() => expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000014', '0.000015']));
    await movements.rounds.pass();
    expect(arrivals(movements)).toHaveLength(2);
  });

  it('refuses wide ranges: pages are halved until it answers, and no deposit is missed', async () => {
    const widest: number[] = [];
    const serve = (chain: SimulatedChain): EvmChain => {
      const [node] = chain.logNodes as unknown as [LogNode];
      const transferLogs: LogNode['transferLogs'] = async (from, to, recipients) => {
        if (to - from + 1 > 3) return 'too-much';
        widest.push(to - from + 1);
        return node.transferLogs(from, to, recipients);
      };
      return withNodes(chain, [misbehaving(node, { transferLogs })]);
    };
    const { movements, outsider, to } = await openedForTest({ ...SLOW_FINALITY, finality: 2, serve });
    for (let at = 1; at <= 12; at += 1) {
      await outsider.send(to, BigInt(at));
      movements.base.mine(at % 4);
    }
    movements.base.mine(3);
    await eventually(() => expect(finals(movements)).toHaveLength(12), 10_000);
    expect(Math.max(...widest)).toBeLessThanOrEqual(3);
  });
});
