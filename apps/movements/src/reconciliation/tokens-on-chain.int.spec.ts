import 'reflect-metadata';
import { GetTrialBalance, GetUncreditedTokens } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { CHAINS, Unavailable } from '@ponte/kernel';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { BlockId, EvmChain } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();
const TOKENS = 5;

/** The service with empty books, over a Base whose reads of tokens pass through `read`. */
async function reading(read: (block: BlockId, base: SimulatedChain) => Promise<void>) {
  const serve = (chain: SimulatedChain): EvmChain =>
    chain.chain === 'eth-base'
      ? Object.assign(Object.create(chain) as EvmChain, {
          async tokensAt(...question: Parameters<EvmChain['tokensAt']>) {
            await read(question[0], chain);
            return chain.tokensAt(...question);
          },
        })
      : chain;
  const movements = await open({ serve }).start();
  movements.bus.handle(GetTrialBalance.pattern, async () => ({ lines: [], customers: [], sums: [] }));
  movements.bus.handle(GetUncreditedTokens.pattern, async () => ({ amounts: [], refused: [] }));
  return movements;
}

describe('the tokens of a chain', () => {
  it('are read again at a new block when no node has the state of the first one any more', async () => {
    const blocks: number[] = [];
    const movements = await reading(async ({ number }, base) => {
      blocks.push(number);
      if (number > 1) return;
      base.mine();
      throw new Unavailable('chain-unavailable', 'missing trie node');
    });
    movements.base.mine();
    await expect(movements.operate('chain reconcile')).resolves.toContain('agree');
    const first = blocks.filter((number) => number === 1).length;
    expect([first > 0, new Set(blocks.slice(first)).size]).toEqual([true, 1]);
  });

  it('are not compared when a node has the state of no block, while those of the other chains are', async () => {
    let isFailing = true;
    const movements = await reading(async () => {
      if (isFailing) throw new Unavailable('chain-unavailable', 'missing trie node');
    });
    const ageOf = async (chain: Chain) => (await movements.gauge('ponte_reconciliation_age_seconds', { chain })) ?? NaN;
    const report = await movements.operate('chain reconcile').catch(({ message }: Error) => message);
    expect(report.split('\n').slice(0, 2)).toEqual([
      'ledger and chain agree; not compared: eth-base:',
      expect.stringMatching(/^eth-base: not compared since \d{4}-.*Z: missing trie node$/),
    ]);
    expect(CHAINS.map((chain) => report.includes(`"asset":"${chain}/`))).toEqual([true, false, true]);
    const age = await ageOf('eth-base');
    expect(age).toBeGreaterThan(await ageOf('tempo'));
    isFailing = false;
    await expect(movements.operate('chain reconcile')).resolves.toMatch(/^ledger and chain agree:/);
    expect(await ageOf('eth-base')).toBeLessThan(age);
  });

  it('are asked for together, page by page', async () => {
    let pass: () => void = () => undefined;
    let asked = 0;
    const all = new Promise<void>((resolve) => (pass = resolve));
    const movements = await reading(async () => {
      asked += 1;
      if (asked === TOKENS) pass();
      await all;
    });
    expect(Object.keys(movements.base.deployment.tokens)).toHaveLength(TOKENS);
    await expect(movements.operate('chain reconcile')).resolves.toContain('agree');
  });

  it('are read from pages of wallets that an index finds, in their order', async () => {
    const movements = await open().start();
    const plan = await sql<{ detail: string }>`explain query plan select * from wallets where chain = ${CHAINS[0]}
      and (created_at, id) < ('2026', 'x') order by created_at desc, id desc limit 201`.execute(
      movements.readModels as Kysely<unknown>,
    );
    expect(plan.rows.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH wallets USING INDEX wallets_by_chain \(chain=\? AND/),
    ]);
  });
});
