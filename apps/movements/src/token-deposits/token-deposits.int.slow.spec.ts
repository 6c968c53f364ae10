import 'reflect-metadata';
import { RequestTokenMovement } from '@ponte/contracts';
import { Unavailable, derivedId } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually, temporaryFolder } from '@ponte/testing';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated';
import type { Setup } from '../testing/movements-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';
import type { EvmChain, Hex } from '../chain/chain.port';
import { Outsider, SLOW_FINALITY, arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import type { LogNode } from './transfer-logs.port';

let folder: ReturnType<typeof temporaryFolder>;
let underTests: MovementsUnderTest[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(underTests.map((movements) => movements.stop()));
  underTests = [];
  folder.remove();
});

/** Long enough for many rounds (25 ms apart). */
const MANY_ROUNDS_MS = 400;
async function opened(setup: Setup = SLOW_FINALITY) {
  const movements = await new MovementsUnderTest(folder.path, setup).start();
  underTests.push(movements);
  const wallets = await walletsOf(movements, derivedId('account', 'one'));
  return { movements, wallets, to: wallets['eth-base'], outsider: new Outsider(movements.base) };
}
const states = (movements: MovementsUnderTest) => arrivals(movements).map(({ state }) => state);
/** A chain with other nodes than its own. */
const withNodes = (chain: EvmChain, logNodes: readonly LogNode[]): EvmChain =>
  Object.assign(Object.create(chain) as EvmChain, { logNodes });
const misbehaving = (node: LogNode, changes: Partial<LogNode>): LogNode =>
  Object.assign(Object.create(node) as LogNode, changes);

describe('tokens that someone outside sends to a wallet', () => {
  it('are seen in a block, confirmed by the next ones, and final once the chain says so, each once', async () => {
    const { movements, outsider, to } = await opened();
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
    await sleep(MANY_ROUNDS_MS);
    expect(states(movements)).toEqual(['confirmed']);
    movements.base.mine(1);
    await eventually(() => expect(states(movements)).toEqual(['final']));
    movements.base.mine(40);
    await sleep(MANY_ROUNDS_MS);
    expect(movements.types().filter((type) => type.startsWith('IncomingTransfers'))).toEqual([
      'IncomingTransfersSeen',
      'IncomingTransfersConfirmed',
      'IncomingTransfersFinalized',
    ]);
  });

  it('on tempo are final with their block, and their six decimals are shown as eighteen', async () => {
    const { movements, wallets } = await opened({ instant: true });
    const tempo = new Outsider(movements.chains.get('tempo') as SimulatedChain);
    await tempo.send(wallets.tempo, 1n, 'tempo/brlv');
    await tempo.send(wallets.tempo, 2_000_001n, 'tempo/brlv');
    await eventually(() =>
      expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000001000000000000', '2.000001000000000000']),
    );
  });

  it('vanish with a replaced block, and are another deposit in the block that they move to', async () => {
    const { movements, outsider, to } = await opened();
    await outsider.send(to, 7n);
    movements.base.mine();
    await eventually(() => expect(states(movements)).toEqual(['seen']));
    movements.base.reorg(1, 'forgotten');
    movements.base.mine(3);
    await eventually(() => expect(states(movements)).toEqual(['reorged']));
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

  it('are one deposit for each of 1,000 logs of one block, in events that a broker takes', async () => {
    const { movements, outsider, to } = await opened({ ...SLOW_FINALITY, finality: 1 });
    for (let at = 0; at < 1_000; at += 1) await outsider.send(to, BigInt(at + 1));
    movements.base.mine();
    await eventually(() => expect(finals(movements)).toHaveLength(1_000), 20_000);
    expect(new Set(finals(movements).map(({ blockHash }) => blockHash)).size).toBe(1);
    expect(movements.ofType('IncomingTransfersSeen')).toHaveLength(10);
  }, 60_000);
});

describe('what is not a deposit', () => {
  it('are nothing, a look-alike contract, a mint, and a movement between our wallets', async () => {
    const { movements, outsider, to } = await opened({ instant: true });
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

describe('a node that misbehaves', () => {
  /** A second node of the same chain, which lies until the test ends that. */
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
    return { lying, ...(await opened({ ...SLOW_FINALITY, finality: 3, serve })) };
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
    ['does not have the receipts', () => ({ loggedTransaction: async () => null })],
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
  ])('%s: nothing is credited until two nodes say the same, and then everything is, once', async (_, lie) => {
    const { movements, outsider, to, lying } = await twoNodes(lie);
    await outsider.send(to, 11n);
    movements.base.mine(2);
    await outsider.send(to, 12n);
    movements.base.mine(6);
    await sleep(MANY_ROUNDS_MS);
    expect(finals(movements)).toEqual([]);
    lying.now = false;
    await eventually(() => expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000011', '0.000012']));
    expect(arrivals(movements)).toHaveLength(2);
  });

  it('lags behind the other: its blocks are read as it gets them', async () => {
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
    const { movements, outsider, to } = await opened({ ...SLOW_FINALITY, finality: 3, serve });
    await outsider.send(to, 13n);
    movements.base.mine(4);
    await sleep(MANY_ROUNDS_MS);
    expect(arrivals(movements)).toEqual([]);
    movements.base.mine(4);
    await eventually(() => expect(finals(movements)).toHaveLength(1));
  });

  it('refuses wide ranges: the pages are halved until it answers, and nothing is left out', async () => {
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
    const { movements, outsider, to } = await opened({ ...SLOW_FINALITY, finality: 2, serve });
    for (let at = 1; at <= 12; at += 1) {
      await outsider.send(to, BigInt(at));
      movements.base.mine(at % 4);
    }
    movements.base.mine(3);
    await eventually(() => expect(finals(movements)).toHaveLength(12), 10_000);
    expect(Math.max(...widest)).toBeLessThanOrEqual(3);
  }, 30_000);
});

const KINDS: readonly FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
const TYPES = [
  'IncomingTransfersSeen',
  'IncomingTransfersConfirmed',
  'IncomingTransfersFinalized',
  'IncomingTransfersReorged',
];

describe('a fault at every append of the scan', () => {
  it.each(TYPES.flatMap((type) => KINDS.map((kind) => [kind, type] as const)))(
    '%s at %s: nothing is doubled and nothing lost',
    async (kind, type) => {
      const { movements, outsider, to } = await opened({ ...SLOW_FINALITY, finality: 4 });
      const { struck } = movements.store.faults.next({
        kind,
        match: (_stream, events) => events.some((event) => event.type === type),
      });
      const restarted = struck.then(async () => {
        if (kind !== 'crash-after-append') return;
        await movements.stop();
        await movements.start();
      });
      await outsider.send(to, 1n);
      movements.base.mine();
      await eventually(() => expect(arrivals(movements)).not.toEqual([]));
      movements.base.reorg(1, 'repooled');
      movements.base.mine();
      await outsider.send(to, 2n);
      await eventually(() => {
        movements.base.mine();
        expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000001', '0.000002']);
      }, 10_000);
      await restarted;
      await eventually(() => expect(states(movements).filter((state) => state !== 'final')).toEqual(['reorged']));
      await sleep(MANY_ROUNDS_MS);
      expect(finals(movements)).toHaveLength(2);
    },
    30_000,
  );
});

describe('any mix of deposits, reorgs and restarts', () => {
  it('leaves exactly what the chain has in its final blocks', async () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ kind: fc.constant('send' as const), units: fc.integer({ min: 1, max: 1_000 }) }),
      },
      {
        weight: 5,
        arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('reorg' as const),
          depth: fc.integer({ min: 1, max: 4 }),
          repooled: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const place = temporaryFolder();
        const movements = await new MovementsUnderTest(place.path, { ...SLOW_FINALITY, finality: 6 }).start();
        try {
          const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
          const outsider = new Outsider(movements.base);
          for (const one of steps) {
            switch (one.kind) {
              case 'send':
                await outsider.send(to, BigInt(one.units));
                break;
              case 'mine':
                movements.base.mine(one.blocks);
                break;
              case 'reorg':
                movements.base.reorg(one.depth, one.repooled ? 'repooled' : 'forgotten');
                await outsider.resync();
                break;
              case 'restart':
                await movements.stop();
                await movements.start();
                break;
              case 'wait':
                await sleep(40);
                break;
            }
          }
          movements.base.mine(8);
          const onChain = await movements.base.tokenBalance('eth-base/usdc', to);
          const credited = () =>
            finals(movements).reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
          await eventually(
            () =>
              expect([
                credited(),
                states(movements).filter((state) => state === 'seen' || state === 'confirmed'),
              ]).toEqual([onChain, []]),
            5_000,
          );
        } finally {
          await movements.stop();
          place.remove();
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);
});
