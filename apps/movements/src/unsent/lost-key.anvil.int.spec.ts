import 'reflect-metadata';
import type { TransactionGivenUp, TransactionSigned } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { KeysOnAnvil } from '../testing/keys-on-anvil';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { TO } from '../testing/movements-under-test';

const BY = { actor: 'ana', reason: 'keystore and backups burned' } as const;

let keys: KeysOnAnvil;
let lost: Hex;
let movements: MovementsUnderTest;

beforeEach(async () => {
  keys = new KeysOnAnvil();
  lost = await keys.start();
}, 120_000);
afterEach(() => keys.stop());

const giveUp = (more: Readonly<Record<string, string>> = { confirm: 'yes' }) =>
  movements.operate('chain give-up', { chain: 'eth-base', address: lost, signed: 'yes', ...more }, BY);
const state = async (name: string) => (await movements.mintOf(name)).state;
const bytes = () => movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];

it('a signed transaction of a lost key that no node mines is given up at finality, and its bytes revert later', async () => {
  movements = await keys.movements({ former: false });
  await keys.coins(lost, 0n);
  await movements.mint('stuck');
  await eventually(async () => expect(await state('stuck')).toBe('pending'));
  await movements.stop();
  const current = await keys.replaceKeystore();
  await keys.grant(current);
  await keys.coins(current, 1n);
  movements = await keys.movements({ former: false });

  await eventually(() => expect(giveUp()).rejects.toThrow('not given up: its contract still accepts the key'));
  await keys.revoke(lost);
  await eventually(() => expect(giveUp({})).resolves.toContain('signed, would be given up'));
  expect(await state('stuck')).toBe('pending');
  await expect(giveUp()).resolves.toContain('given up; the funds are returned');
  expect(await state('stuck')).toBe('failed');
  const [given] = movements.ofType('TransactionGivenUp').map(({ data }) => data as TransactionGivenUp['data']);
  const { revoked } = given ?? {};
  await expect(keys.base.blockAt(Number(revoked?.blockNumber))).resolves.toMatchObject({ hash: revoked?.blockHash });

  await keys.coins(lost, 1n);
  const { raw, txHash } = bytes();
  await expect(keys.base.broadcast(raw as Hex)).resolves.toEqual({ outcome: 'taken' });
  const reverted = { status: 'mined', succeeded: false, revertReason: 'AccessControlUnauthorizedAccount' };
  await eventually(() => expect(keys.base.transaction(txHash as Hex)).resolves.toMatchObject(reverted));
  await expect(keys.balanceOf(TO)).resolves.toBe(0n);

  await movements.mint('new');
  expect((await movements.ended('new')).state).toBe('completed');
  expect(await state('stuck')).toBe('failed');
  expect(movements.ofType('TransactionReverted')).toEqual([]);
}, 120_000);
