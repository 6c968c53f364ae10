import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { temporaryFolder } from '@ponte/testing';
import type { Hex } from '../chain/block.port';
import { CREATED, PagedChain, roundOn } from '../testing/paged-chain';
import { EarlyDepositChecks } from './early-deposit-checks.read-model';

const CHAIN = 'eth-base';
/** Pages per round: the search must not delay the scan. */
const STEPS = 10;
/** Blocks that are recorded per round, for the same reason. */
const BLOCKS = 50;

let checks: EarlyDepositChecks;
let close: () => Promise<void>;
let chain: PagedChain;
beforeEach(async () => {
  const folder = temporaryFolder();
  const readModels = openSqliteReadModels<unknown>(`${folder.path}/read-models.db`);
  close = () => readModels.destroy().then(folder.remove);
  checks = new EarlyDepositChecks(readModels);
  await checks.prepare();
  chain = new PagedChain();
});
afterEach(() => close());

const addressOf = (name: string): Hex => `0x${name}`;
const add = (name: string, createdAt = CREATED) =>
  checks.add({ walletId: name, createdAt, chain: CHAIN, address: addressOf(name) });
const receive = (name: string, blockNumber: number, units = 1n) =>
  chain.transfers.push({ to: addressOf(name), blockNumber, units });

const round = (final?: { number: number; hash: Hex }) => roundOn(chain, checks, final);
const searching = async () => (await checks.searched(CHAIN)).wallets.map(({ walletId }) => walletId);

describe('the search of the blocks before a wallet existed', () => {
  it('ends with the block in which the last of its tokens arrived', async () => {
    await add('a');
    receive('a', 4_950);
    receive('a', 4_710, 2n);
    await round();
    expect(chain.pages).toEqual(['4901-5000 1', '4801-4900 1', '4701-4800 1']);
    expect(chain.recorded).toEqual([4_950, 4_710]);
    expect(await searching()).toEqual([]);
  });

  it.each([
    ['some', 5n],
    ['all', 10n],
  ])('covers all blocks when the wallet has sent %s of its tokens already', async (_, sent) => {
    await add('a');
    receive('a', 10, 5n);
    receive('a', 4_999, 5n);
    chain.sent.set(addressOf('a'), sent);
    for (let rounds = 0; rounds < 6; rounds += 1) await round();
    expect(chain.recorded).toEqual([4_999, 10]);
    expect(chain.pages.at(-1)).toBe('3-100 1');
    expect(await searching()).toEqual([]);
  });

  it('is not made for a wallet that holds nothing and has sent nothing', async () => {
    await add('a');
    await round();
    expect(chain.pages).toEqual([]);
    expect(await checks.unread(CHAIN)).toEqual([]);
  });

  it('reads only some pages in a round, and continues in another process', async () => {
    await add('a');
    receive('a', 5);
    await round();
    expect(chain.pages).toHaveLength(STEPS - 1);
    expect(await searching()).toEqual(['a']);
    for (let rounds = 0; rounds < 5; rounds += 1) await round();
    expect(chain.recorded).toEqual([5]);
    expect(new Set(chain.pages).size).toBe(chain.pages.length);
  });

  it.each(['held', 'before', 'read', 'record'] as const)('is repeated after a failure of %s', async (kind) => {
    await add('a');
    receive('a', 4_950);
    receive('a', 4_850);
    chain.failing = kind;
    await round();
    expect(chain.failing).toBeUndefined();
    expect(chain.recorded).not.toEqual([4_950, 4_850]);
    await round();
    expect(chain.recorded).toEqual([4_950, 4_850]);
    expect(await searching()).toEqual([]);
  });

  it('repeats the page after a crash before its progress was stored', async () => {
    await add('a');
    receive('a', 4_950);
    receive('a', 4_850);
    const { search } = checks;
    let stores = 0;
    checks.search = async (wallets) => {
      stores += 1;
      if (stores === 2) throw new Error('killed');
      await search.call(checks, wallets);
    };
    await round();
    expect(chain.recorded).toEqual([4_950]);
    checks.search = search;
    await round();
    expect(chain.recorded).toEqual([4_950, 4_950, 4_850]);
    expect(await searching()).toEqual([]);
  });

  it('begins when the scan knows the wallet', async () => {
    chain.unlisted.add(addressOf('a'));
    await add('a');
    receive('a', 4_950);
    await round();
    expect(chain.pages).toEqual([]);
    chain.unlisted.clear();
    await round();
    expect(chain.recorded).toEqual([4_950]);
  });

  it('goes on together for wallets that were created at different times', async () => {
    await add('a');
    receive('a', 10);
    await round();
    await add('b');
    receive('b', 20);
    await round({ number: 5_150, hash: '0x5150' });
    expect(chain.pages.slice(STEPS - 1, STEPS + 1)).toEqual(['5051-5150 1', '4951-5050 1']);
    for (let rounds = 0; rounds < 6; rounds += 1) await round({ number: 5_150, hash: '0x5150' });
    expect(chain.pages.at(-1)).toBe('3-100 2');
    expect(chain.recorded.toSorted((one, other) => one - other)).toEqual([10, 20]);
  });

  it('records only some blocks in a round, however many have transfers, and each of them once', async () => {
    await add('a');
    const numbers = Array.from({ length: 120 }, (_, at) => 4_999 - at);
    for (const number of numbers) receive('a', number);
    await round();
    expect(chain.recorded).toEqual(numbers.slice(0, BLOCKS));
    for (let rounds = 0; rounds < 2; rounds += 1) await round();
    expect(chain.recorded).toEqual(numbers);
    expect(await searching()).toEqual([]);
  });

  it('does not record blocks in which the wallet received nothing', async () => {
    await add('a');
    receive('a', 4_990, 0n);
    receive('a', 4_950);
    await round();
    expect(chain.recorded).toEqual([4_950]);
  });

  it('is the same for a hundred wallets as for one', async () => {
    for (let at = 0; at < 100; at += 1) {
      await add(`w${at}`);
      receive(`w${at}`, 4_950 - at);
    }
    await round();
    await round();
    expect(chain.pages).toEqual(['4901-5000 100', '4801-4900 50']);
    expect(await searching()).toEqual([]);
  });
});

describe('a wallet that was checked', () => {
  it('is not checked again when the event of its creation is handled again', async () => {
    await add('a');
    await round();
    receive('a', 4_950);
    await add('a');
    await round();
    expect(chain.pages).toEqual([]);
  });

  it('is checked again when it is created again after a restore of the log', async () => {
    await add('a');
    await round();
    receive('a', 4_950);
    await add('a', '2026-02-01T12:00:00.000Z');
    await round();
    expect(chain.recorded).toEqual([4_950]);
  });
});
