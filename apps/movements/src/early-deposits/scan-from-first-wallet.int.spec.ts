import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { temporaryFolder } from '@ponte/testing';
import { sql } from 'kysely';
import type { Hex } from '../chain/block.port';
import { CREATED, PagedChain, roundOn } from '../testing/paged-chain';
import { EarlyDepositChecks } from './early-deposit-checks.read-model';

const CHAIN = 'eth-base';
let checks: EarlyDepositChecks;
let list: (name: string) => Promise<unknown>;
let close: () => Promise<void>;
let chain: PagedChain;
beforeEach(async () => {
  const folder = temporaryFolder();
  const readModels = openSqliteReadModels<unknown>(`${folder.path}/read-models.db`);
  await sql`CREATE TABLE wallets (id text, created_at text, chain text, address text)`.execute(readModels);
  list = (name) =>
    sql`INSERT INTO wallets VALUES (${name}, ${CREATED}, ${CHAIN}, ${addressOf(name)})`.execute(readModels);
  close = () => readModels.destroy().then(folder.remove);
  checks = new EarlyDepositChecks(readModels);
  await checks.prepare();
  chain = new PagedChain();
});
afterEach(() => close());

const addressOf = (name: string): Hex => `0x${name}`;
const add = (name: string) =>
  checks.add({ walletId: name, createdAt: CREATED, chain: CHAIN, address: addressOf(name) });
const receive = (name: string, blockNumber: number) =>
  chain.transfers.push({ to: addressOf(name), blockNumber, units: 1n });
const round = () => roundOn(chain, checks);
const searching = async () => (await checks.searched(CHAIN)).wallets.map(({ walletId }) => walletId);

describe('the search when the scan starts again from the first wallet', () => {
  beforeEach(async () => {
    await Promise.all(['a', 'b', 'c'].map(list));
    receive('a', 10);
    receive('a', 4_999);
    receive('b', 4_998);
  });

  it.each([0, 1])('covers only blocks that the scan does not read, after %i crashes', async (crashes) => {
    await add('b');
    for (let times = 0; times <= crashes; times += 1) await checks.scannedFrom(CHAIN, 151);
    await add('a');
    await round();
    expect(chain.pages).toEqual(['51-150 2', '3-50 2']);
    expect(chain.recorded).toEqual([10]);
    expect(await searching()).toEqual([]);
  });

  it('is not made when the scan starts before the first block of the search', async () => {
    await checks.scannedFrom(CHAIN, 0);
    await round();
    await round();
    expect(chain.pages).toEqual([]);
    expect([await checks.unread(CHAIN), await searching()]).toEqual([[], []]);
  });

  it('covers all blocks for a wallet that was created later, and leaves checked ones alone', async () => {
    await add('a');
    await add('b');
    for (let rounds = 0; rounds < 6; rounds += 1) await round();
    chain.pages.length = 0;
    await checks.scannedFrom(CHAIN, 151);
    await add('d');
    receive('d', 4_950);
    await round();
    expect(chain.pages).toEqual(['4901-5000 1']);
  });
});
