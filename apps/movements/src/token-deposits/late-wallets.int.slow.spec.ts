import 'reflect-metadata';
import { CreateWallet, RequestTokenMovement } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { sql } from 'kysely';
import { Outsider, SLOW_FINALITY, finals, walletsOf } from '../testing/deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';
import { Aggregates } from '@ponte/event-sourcing';
import type { MovementsSettings } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { WalletAddresses } from './wallet-addresses.read-model';
import type { Hex } from '../chain/chain.port';

let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
let to: Hex;
const [OWNER, OTHER] = [derivedId('account', 'one'), derivedId('account', 'two')];
/** More blocks than the scan reads again with the next ones. */
const BEYOND_THE_OVERLAP = 100;

beforeEach(async () => {
  folder = temporaryFolder();
  movements = await new MovementsUnderTest(folder.path, SLOW_FINALITY).start();
  to = (await walletsOf(movements, OWNER))['eth-base'];
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

/** From now on the list accepts no wallet, and its projector stops at the next one. */
const breakList = () =>
  sql`CREATE TRIGGER broken BEFORE INSERT ON wallets BEGIN SELECT RAISE(ABORT, 'broken'); END`.execute(
    movements.readModels,
  );
const mendList = () => sql`DROP TRIGGER broken`.execute(movements.readModels);
const rows = async () =>
  (await sql`SELECT id FROM wallets WHERE name = 'Late'`.execute(movements.readModels)).rows.length;
const createLate = () =>
  movements.bus.request(
    CreateWallet,
    {
      accountId: OWNER,
      walletId: derivedId('wallet', 'late'),
      name: 'Late',
      chain: 'eth-base',
      metadata: {},
      uiEnabled: true,
    },
    movements.context(),
  );

it('a deposit to a wallet that is added to the list late is credited', async () => {
  const outsider = new Outsider(movements.base);
  await outsider.send(to, 1n);
  movements.base.mine(20);
  await eventually(() => expect(finals(movements)).toHaveLength(1));
  await breakList();
  const { address } = await createLate();
  await outsider.send(address as Hex, 2n);
  movements.base.mine(BEYOND_THE_OVERLAP);
  await movements.rounds.pass(1);
  expect(await rows()).toBe(0);
  await mendList();
  await eventually(
    () => expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000001', '0.000002']),
    30_000,
  );
  expect(await rows()).toBe(1);
});

it('a movement between accounts can go to a wallet that is not in the list', async () => {
  const other = (await walletsOf(movements, OTHER))['eth-base'];
  await sql`DELETE FROM wallets WHERE account_id = ${OTHER}`.execute(movements.readModels);
  const movementId = derivedId('movement', 'one');
  await movements.bus.request(
    RequestTokenMovement,
    {
      movementId,
      owner: { kind: 'transfer', id: movementId },
      accountId: OWNER,
      asset: 'eth-base/brlv',
      amount: '1',
      destination: other,
      sourceWalletId: null,
    },
    movements.context(),
  );
  expect(movements.ofType('TransactionIntended').at(-1)?.data).toMatchObject({
    purpose: { receiver: { accountId: OTHER } },
  });
});

/** Lists whose projectors have stopped before the end of the log, or only one of them. `read` is called for each. */
function laggingList(read: () => void = () => undefined, lagging = '') {
  const checkpoints = {
    load: async (projector: string) => {
      read();
      return projector.startsWith(lagging) ? 'one' : 'two';
    },
  };
  const store = { head: async () => 'two', comparePositions: (a: string, b: string) => (a === b ? 0 : -1) };
  return new WalletAddresses(
    {} as never,
    checkpoints as never,
    store as never,
    Object.create(Aggregates.prototype) as Aggregates,
    {} as Signer,
    {} as MovementsSettings,
  );
}

describe('the list, while it is behind the log,', () => {
  afterEach(() => void jest.useRealTimers());

  it('is not waited for by a process that stops, so that deposits do not delay its end', async () => {
    const stopping = new AbortController();
    let checks = 0;
    const addresses = laggingList(() => {
      checks += 1;
      if (checks === 4) stopping.abort();
    });
    await addresses.catchUp(stopping.signal);
    expect(checks).toBe(4);
  });

  it.each([
    ['of wallets makes the round fail, so that no deposit to a missing wallet is skipped', 'movements/wallet'],
    ['of signers makes the round fail, so that no mint of a new key is a deposit', 'movements/chainTransaction'],
  ])('%s', async (_, projector) => {
    jest.useFakeTimers();
    const addresses = laggingList(undefined, projector);
    const failed = expect(addresses.catchUp(new AbortController().signal)).rejects.toThrow('is behind the log');
    await jest.advanceTimersByTimeAsync(60_000);
    await failed;
  });
});
