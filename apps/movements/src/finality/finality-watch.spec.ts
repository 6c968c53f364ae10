import { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { EvmChain, FinalityQuestion, Hex } from '../chain/chain.port';
import { chain } from '../transactions/chain-transaction.testing';
import type { FinalityWatchParts } from './finality-watch';
import { FinalityWatch } from './finality-watch';
import type { UnfinalTransaction } from './unfinal-transactions.read-model';

const row = (id: string, sender: Hex, blockNumber: number, blockHash: Hex): UnfinalTransaction => ({
  ...{ id, sender, blockNumber, blockHash },
  nonce: 0,
  txHash: `0x${id}`,
  correlationId: 'c',
});
/** A reorg has removed the transaction of one key, and the chain has mined that of another key after it. */
const removed = row('aa', '0x1', 5, '0x5a');
const mined = row('bb', '0x2', 6, '0x6b');
const blocks = new Map<number, Hex>([
  [5, '0x5b'],
  [6, '0x6b'],
]);

/** The read model with these rows. */
const unfinalOnes = (rows: readonly UnfinalTransaction[]) => ({
  bySender: async () => rows.map(({ sender }) => ({ chain, sender, count: 1 })),
  async *pages(_: unknown, of: Hex) {
    yield rows.filter(({ sender }) => sender === of);
  },
});

/** A watch of both transactions, over a chain whose nodes give the scripted answers first. */
function watching() {
  const oldAnswers: Hex[] = [];
  const errors: string[] = [];
  const metrics = new Metrics();
  let finalNumber = 3;
  /** Other bytes of the removed transaction, in a final block. */
  let other: Hex | undefined;
  const evm = {
    chain,
    blockAt: async (number: number) => ({ number, hash: oldAnswers.shift() ?? blocks.get(number) }),
    nextNonce: async (sender: Hex) => (sender === mined.sender ? 1 : 0),
    minedAnywhere: async (hash: Hex) => hash === mined.txHash,
    atFinality: async ({ sender, hashes }: FinalityQuestion) => {
      const isThere = sender === mined.sender && finalNumber >= mined.blockNumber;
      const receipts = hashes.filter((hash) => isThere || hash === other).map((hash) => ({ hash, succeeded: true }));
      return { block: { number: finalNumber, hash: '0xf' }, minedCount: receipts.length > 0 ? 1 : 0, receipts };
    },
  };
  const sent: string[] = [];
  const steps: string[] = [];
  const parts = {
    served: { evm: evm as unknown as EvmChain, confirmations: 2 },
    unfinal: unfinalOnes([removed, mined]),
    pending: { lowest: async () => null },
    transactions: {
      load: async () =>
        other ? { status: 'confirmed', sent: { attempts: [{ txHash: other }] } } : { status: 'absent' },
      execute: async (id: string, _: unknown, step: string) => void steps.push(`${id} ${step}`),
    },
    finalities: { record: async () => undefined },
    sender: { send: (_: unknown, __: unknown, id: string) => void sent.push(id) },
    keyId: 'operator',
    isResponsibleFor: async () => true,
    metrics,
    logger: { error: (_: unknown, text: string) => void errors.push(text), warn: () => undefined } as unknown as Logger,
    revive: () => undefined,
  } as unknown as FinalityWatchParts;
  return {
    watch: new FinalityWatch(parts),
    oldAnswers,
    sent,
    steps,
    errors,
    contradictions: async () =>
      /^ponte_final_contradictions_total\{.*\} (\d+)$/m.exec(await metrics.registry.metrics())?.[1],
    finalizes: (number: number) => (finalNumber = number),
    hasFinal: (hash: Hex) => (other = hash),
  };
}

describe('a confirmed transaction that a reorg has removed', () => {
  it('is sent again at once, and recorded as reorged after three rounds', async () => {
    const { watch, sent, steps } = watching();
    await watch.round();
    await watch.round();
    expect([sent, steps]).toEqual([['aa', 'aa'], []]);
    await watch.round();
    expect(steps).toEqual(['aa reorg 1']);
  });

  it('is found when its block is final at the latest, although a node had its old block while others had a higher one', async () => {
    const { watch, oldAnswers, sent, steps, finalizes } = watching();
    oldAnswers.push(removed.blockHash);
    await watch.round();
    await watch.round();
    expect(sent).toEqual([]);
    finalizes(7);
    for (let round = 0; round < 4; round += 1) await watch.round();
    expect([sent.length > 0, steps]).toEqual([true, ['aa reorg 1']]);
  });
});

describe('a confirmed transaction that a node keeps in its chain, and that the final block of the others lacks', () => {
  beforeEach(() => blocks.set(removed.blockNumber, removed.blockHash));
  afterEach(() => blocks.set(removed.blockNumber, '0x5b'));

  it('is logged once, and counted in every round after the second', async () => {
    const { watch, steps, errors, contradictions, finalizes } = watching();
    finalizes(7);
    await watch.round();
    await watch.round();
    expect([await contradictions(), errors]).toEqual(['0', []]);
    await watch.round();
    await watch.round();
    expect([await contradictions(), errors, steps]).toEqual([
      '2',
      ['a completed transaction is not in the final chain of the nodes that agree'],
      [],
    ]);
  });

  it('is not reported when one of three rounds does not find that', async () => {
    const { watch, errors, contradictions, finalizes } = watching();
    for (let round = 0; round < 9; round += 1) {
      finalizes(round % 3 === 2 ? removed.blockNumber - 1 : 7);
      await watch.round();
    }
    expect([await contradictions(), errors]).toEqual(['0', []]);
  });

  it('is not reported when the final block has other bytes of it', async () => {
    const { watch, errors, contradictions, finalizes, hasFinal } = watching();
    hasFinal('0xa1');
    finalizes(7);
    for (let round = 0; round < 4; round += 1) await watch.round();
    expect([await contradictions(), errors]).toEqual(['0', []]);
  });
});
