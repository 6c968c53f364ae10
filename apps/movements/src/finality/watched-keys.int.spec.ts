import 'reflect-metadata';
import { join } from 'node:path';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { Metrics } from '@ponte/observability';
import { temporaryFolder } from '@ponte/testing';
import type { Logger } from 'pino';
import type { EvmChain, FinalityQuestion, Hex } from '../chain/chain.port';
import type { FinalityWatchParts } from './finality-watch';
import { FinalityWatch } from './finality-watch';
import { UnfinalTransactions } from './unfinal-transactions.read-model';

const chain = 'eth-base' as const;
const OF_ALL = { correlation_id: 'c', confirmed_at: null };
/** More transactions than a round reads at once. */
const MANY = 5_001;
const hashAt = (number: number): Hex => `0xa${number}`;
const STANDING = hashAt(5);
const REPLACED: Hex = '0xb5';
const KEY: Hex = '0x2';

let folder: ReturnType<typeof temporaryFolder>;
let readModels: ReturnType<typeof openSqliteReadModels>;
let unfinal: UnfinalTransactions;

beforeEach(async () => {
  folder = temporaryFolder();
  readModels = openSqliteReadModels(join(folder.path, 'read-models.db'), 'off');
  unfinal = new UnfinalTransactions(readModels);
  await unfinal.onModuleInit();
});
afterEach(async () => {
  await readModels.destroy();
  folder.remove();
});

const rows = (sender: Hex, count: number, from = 0, block_hash = STANDING) =>
  Array.from({ length: count }, (_, at) => {
    const nonce = from + at;
    const id = `${sender} ${nonce}`;
    return { id, revision: 3, chain, sender, nonce, tx_hash: `0x${nonce}`, block_number: 5, block_hash, ...OF_ALL };
  });
const hold = (...all: ReturnType<typeof rows>[]) => unfinal.table.write([{ put: all.flat() }]);

/** The watch of one key, on a chain of one block, which is final if `final` is set. */
function watching(final = false) {
  const sent: string[] = [];
  const below: number[] = [];
  const evm = {
    chain,
    blockAt: async (number: number) => ({ number, hash: hashAt(number) }),
    nextNonce: async () => 0,
    minedAnywhere: async () => false,
    atFinality: async ({ hashes }: FinalityQuestion) => ({
      block: { number: final ? 100 : 3, hash: '0xf' },
      minedCount: final ? MANY : 0,
      receipts: final ? hashes.map((hash) => ({ hash, succeeded: true })) : [],
    }),
  };
  const watch = new FinalityWatch({
    served: { evm: evm as unknown as EvmChain, confirmations: 2 },
    unfinal,
    pending: { lowest: async () => null },
    transactions: { load: async () => ({ status: 'absent' }), execute: async () => undefined },
    finalities: { record: async (of: { readonly below: number }) => void below.push(of.below) },
    sender: { send: (_: unknown, __: unknown, id: string) => void sent.push(id) },
    keyId: 'operator',
    isResponsibleFor: async (sender: Hex) => sender === KEY,
    metrics: new Metrics(),
    logger: { error: () => undefined, warn: () => undefined } as unknown as Logger,
    revive: () => undefined,
  } as unknown as FinalityWatchParts);
  return { watch, sent, below };
}

describe('the transactions of a key that are not final', () => {
  it('are watched however many another key has', async () => {
    await hold(rows('0x1', MANY), rows(KEY, 1, 0, REPLACED));
    const { watch, sent } = watching();
    await watch.round();
    expect(sent).toEqual(['0x2 0']);
  });

  it('are all watched, however many they are', async () => {
    await hold(rows(KEY, MANY), rows(KEY, 1, MANY, REPLACED));
    const { watch, sent } = watching();
    await watch.round();
    expect(sent).toEqual([`0x2 ${MANY}`]);
  });

  it('are all recorded as final in one round', async () => {
    await hold(rows(KEY, MANY));
    const { watch, below } = watching(true);
    await watch.round();
    expect(below.at(-1)).toBe(MANY);
  });
});

it('a watch remembers only what the read model still has', async () => {
  const { watch, below } = watching(true);
  const inBlock = (nonce: number, number: number) =>
    rows(KEY, 1, nonce).map((row) => ({ ...row, block_number: number, block_hash: hashAt(number) }));
  for (let at = 0; at < 20; at += 1) {
    // One that is not final yet keeps the watch from ever having nothing to do.
    await unfinal.table.write([{ remove: `${KEY} ${at - 1}`, put: [...inBlock(at, at), ...inBlock(MANY, 200 + at)] }]);
    await watch.round();
  }
  expect(below.at(-1)).toBe(20);
  expect(watch.remembered).toBeLessThan(5);
});
