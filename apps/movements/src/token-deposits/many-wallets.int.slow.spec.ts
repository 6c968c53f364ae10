import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { sql } from 'kysely';
import { Outsider, SLOW_FINALITY, finals, walletsOf } from '../testing/deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';
import type { EvmChain } from '../chain/chain.port';
import type { LogNode } from '../transfer-logs/transfer-logs.port';

const GROUP = 500;
const MAX_NAMED = 10_000;
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
/** The recipients of each request to the node; null where all transfers were requested. */
let requestedRecipients: (readonly string[] | null)[];
/** Whether the node refuses to return all transfers where there are any, as if the block were full of them. */
let refusesAll: boolean;

beforeEach(async () => {
  folder = temporaryFolder();
  requestedRecipients = [];
  refusesAll = false;
  const serve = (chain: EvmChain): EvmChain => {
    const [node] = chain.logNodes as unknown as [LogNode];
    const transferLogs: LogNode['transferLogs'] = async (from, to, recipients) => {
      requestedRecipients.push(recipients);
      const logs = await node.transferLogs(from, to, recipients);
      return refusesAll && recipients === null && logs.length > 0 ? 'too-much' : logs;
    };
    const listening = Object.assign(Object.create(node) as LogNode, { transferLogs });
    return Object.assign(Object.create(chain) as EvmChain, { logNodes: [listening] });
  };
  movements = await new MovementsUnderTest(folder.path, { ...SLOW_FINALITY, serve }).start();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

/** Adds the rows of that many wallets of other accounts on eth-base. */
const list = (count: number) =>
  sql`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      INSERT INTO wallets (id, revision, created_at, account_id, chain, address, name, assets, ui_enabled, metadata)
      SELECT 'w' || n, 0, '2026-01-01T00:00:00.000Z', 'many', 'eth-base', '0x' || printf('%040x', n), '', '[]', 0, '{}'
      FROM numbers`.execute(movements.readModels);
const credited = async () => {
  const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
  await new Outsider(movements.base).send(to, 1n);
  movements.base.mine(20);
  await eventually(() => expect(finals(movements)).toHaveLength(1));
};

describe('A deposit to one of many wallets', () => {
  it('is found with the wallets named to the node in groups', async () => {
    await list(3 * GROUP);
    requestedRecipients.length = 0;
    await credited();
    const sizes = new Set(requestedRecipients.map((group) => group?.length));
    expect(Math.max(...[...sizes].map((size) => size ?? Infinity))).toBe(GROUP);
    // The last group has the one wallet beyond three full groups.
    expect(sizes).toContain(1);
  });

  it('is found among all transfers when there are too many wallets to name', async () => {
    await list(MAX_NAMED);
    requestedRecipients.length = 0;
    await credited();
    expect(requestedRecipients).toContain(null);
  });

  it('is found in a block whose transfers the node refuses to return all at once', async () => {
    await list(MAX_NAMED);
    refusesAll = true;
    await credited();
    const sizes = requestedRecipients.map((group) => group?.length);
    expect(sizes).toContain(GROUP);
    expect(sizes).toContain(1);
  });
});
