import 'reflect-metadata';
import { RequestTokenMovement } from '@ponte/contracts';
import { derivedId, Unavailable } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import {
  BEYOND_THE_OVERLAP,
  CHAIN,
  EARLY_OWNER,
  addressBefore,
  behindNode,
  checksIn,
  createWallet,
} from '../testing/early-deposits-under-test';
import { Outsider, SLOW_FINALITY, arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';
import { DepositCursors } from '../token-deposits/deposit-cursors.read-model';

const OTHER = derivedId('account', 'other');
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
let outsider: Outsider;
/** The number of addresses in each request for balances. */
let balances: number[];
/** While set, no node answers requests for balances. */
let withoutBalances: boolean;
/** While set, no node names its newest block. */
let withoutHead: boolean;

beforeEach(async () => {
  folder = temporaryFolder();
  balances = [];
  withoutBalances = withoutHead = false;
  movements = await new MovementsUnderTest(folder.path, {
    ...SLOW_FINALITY,
    forget: false,
    serve: (chain) =>
      behindNode(chain, (node) => ({
        headBlock: async () => {
          if (withoutHead) throw new Unavailable('chain-unavailable', 'the nodes do not agree');
          return node.headBlock();
        },
        unitsHeld: async (block, holders) => {
          if (chain.chain === CHAIN) balances.push(holders.length);
          if (withoutBalances) throw new Unavailable('chain-unavailable', 'the node has no state of that block');
          return node.unitsHeld(block, holders);
        },
      })),
  }).start();
  outsider = new Outsider(movements.base);
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

const addressOf = (name: string) => addressBefore(movements.base, name);
const credited = () => finals(movements).map(({ amount }) => amount);
const checked = (wallets: number) => eventually(async () => expect(await checksIn(movements, 'done')).toBe(wallets));
/** Mines until the scan has passed all blocks with transfers of the test. */
async function scanned(): Promise<void> {
  movements.base.mine(BEYOND_THE_OVERLAP);
  const { number } = await movements.base.finalBlock();
  await eventually(async () =>
    expect((await new DepositCursors(movements.readModels).of(CHAIN))?.number).toBeGreaterThanOrEqual(number),
  );
}

describe('tokens that were sent to the address of a wallet before it existed', () => {
  it('are credited when it is created, once, with those that follow', async () => {
    await walletsOf(movements, OTHER);
    await outsider.send(addressOf('a'), 1n);
    await scanned();
    await outsider.send(addressOf('a'), 2n, 'eth-base/usdt');
    await scanned();
    expect(arrivals(movements)).toEqual([]);
    await createWallet(movements, 'a');
    await eventually(() => expect(credited().sort()).toEqual(['0.000001', '0.000002']));
    await outsider.send(addressOf('a'), 3n);
    await scanned();
    await eventually(() => expect(credited().sort()).toEqual(['0.000001', '0.000002', '0.000003']));
    expect(arrivals(movements)).toHaveLength(3);
  });

  it('are credited for many wallets that are created at once, with one request for their balances', async () => {
    await walletsOf(movements, OTHER);
    await checked(1);
    const names = Array.from({ length: 8 }, (_, at) => `wallet ${at}`);
    for (const [at, name] of names.entries()) {
      if (at % 2 === 0) await outsider.send(addressOf(name), BigInt(at + 1));
      movements.base.mine(7);
    }
    await scanned();
    movements.base.setReachable(false);
    balances.length = 0;
    await Promise.all(names.map((name) => createWallet(movements, name)));
    await eventually(async () => expect(await checksIn(movements, 'new')).toBe(names.length));
    movements.base.setReachable(true);
    await checked(names.length + 1);
    expect(credited().sort()).toEqual(['0.000001', '0.000003', '0.000005', '0.000007']);
    expect(balances).toEqual([names.length]);
  });

  it('are credited although no node answers at first, and the process ends meanwhile', async () => {
    await walletsOf(movements, OTHER);
    await checked(1);
    await outsider.send(addressOf('a'), 1n);
    await scanned();
    movements.base.setReachable(false);
    await createWallet(movements, 'a');
    await movements.stop();
    await movements.start();
    await eventually(async () => expect(await checksIn(movements, 'new')).toBe(1));
    movements.base.setReachable(true);
    await eventually(() => expect(credited()).toEqual(['0.000001']));
    await checked(2);
    expect(arrivals(movements)).toHaveLength(1);
  });

  it('are credited although all tokens were sent on before the balance was first read', async () => {
    const asset = 'eth-base/usdc' as const;
    await walletsOf(movements, OTHER);
    await checked(1);
    await outsider.send(addressOf('a'), 5n);
    await scanned();
    withoutBalances = true;
    await createWallet(movements, 'a');
    await outsider.send(addressOf('a'), 5n);
    await scanned();
    const [movementId, destination] = [derivedId('movement', 'out'), await outsider.address()];
    const terms = { movementId, accountId: EARLY_OWNER, asset, amount: '0.000010', destination, sourceWalletId: null };
    const owner = { kind: 'withdrawal', id: movementId } as const;
    await movements.bus.request(RequestTokenMovement, { ...terms, owner }, movements.context());
    await eventually(async () => {
      movements.base.mine();
      expect(await movements.base.tokenBalance(asset, addressOf('a'))).toBe(0n);
    });
    await scanned();
    withoutBalances = false;
    await eventually(() => expect(credited()).toEqual(['0.000005', '0.000005']));
    await checked(2);
    expect(arrivals(movements)).toHaveLength(2);
  });

  it('are credited although the newest blocks cannot be read', async () => {
    await walletsOf(movements, OTHER);
    await outsider.send(addressOf('a'), 1n);
    await scanned();
    withoutHead = true;
    await createWallet(movements, 'a');
    await eventually(() => expect(credited()).toEqual(['0.000001']));
  });

  it('do not void a deposit to another wallet in the same block', async () => {
    const other = (await walletsOf(movements, OTHER))[CHAIN];
    await outsider.send(other, 1n);
    await outsider.send(addressOf('a'), 2n);
    movements.base.mine();
    await scanned();
    expect(credited()).toEqual(['0.000001']);
    await createWallet(movements, 'a');
    await eventually(() => expect(credited().sort()).toEqual(['0.000001', '0.000002']));
    expect(new Set(arrivals(movements).map(({ blockHash }) => blockHash)).size).toBe(1);
    expect(arrivals(movements)).toHaveLength(2);
  });
});

describe('a new wallet', () => {
  it('without tokens costs one request for balances, and no search', async () => {
    await walletsOf(movements, OTHER);
    await checked(1);
    expect(balances).toEqual([1]);
    await outsider.send(addressOf('a'), 1n);
    await scanned();
    expect(balances).toEqual([1]);
  });

  it('receives its later deposits although its balance cannot be read', async () => {
    await outsider.send(addressOf('a'), 1n);
    await scanned();
    withoutBalances = true;
    await createWallet(movements, 'a');
    await outsider.send(addressOf('a'), 2n);
    await scanned();
    await eventually(() => expect(credited()).toEqual(['0.000002']));
    withoutBalances = false;
    await eventually(() => expect(credited().sort()).toEqual(['0.000001', '0.000002']));
  });

  it('whose first deposit was scanned before its balance was read is credited once', async () => {
    await walletsOf(movements, OTHER);
    await checked(1);
    await outsider.send(addressOf('a'), 1n);
    await createWallet(movements, 'a');
    await scanned();
    await checked(2);
    await scanned();
    expect(credited()).toEqual(['0.000001']);
    expect(arrivals(movements)).toHaveLength(1);
  });
});
