import 'reflect-metadata';
import type { TransactionGivenUp } from '@ponte/contracts';
import { NoncesAllocated } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { eventually, temporaryFolder } from '@ponte/testing';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { signerKeyId } from '../signer-key/signer-key.decider';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest, Setup } from '../testing/movements-under-test';
import { signer } from '../testing/movements-under-test';

const CHAIN = 'eth-base';
const UNKNOWN = { chain: CHAIN, operator: 'unknown' } as const;
const BY = { actor: 'ana', reason: 'keystore and backups burned' } as const;
const tests = movementsForEachTest();
let second: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  second = temporaryFolder();
});
afterEach(() => second.remove());
const another = new SimulatedSigner('another');

/** The process ends as soon as an event of the type is durable. */
async function leave(type: string, setup: Setup = {}): Promise<MovementsUnderTest> {
  const before = tests.open(setup);
  await (await before.start()).diesAfter(type, 'left');
  return before;
}

/** Movements with another keystore, when it counts the transactions of the key that it does not have. */
async function withoutKey(before: MovementsUnderTest, setup: Setup = {}): Promise<MovementsUnderTest> {
  const movements = await tests.open({ beside: before, keys: another, ...setup }).start();
  await eventually(async () =>
    expect(await movements.gauge('ponte_operator_pending_transactions', UNKNOWN)).toBeGreaterThan(0),
  );
  return movements;
}

const giveUp = async (movements: MovementsUnderTest, more: Readonly<Record<string, string>> = { confirm: 'yes' }) =>
  movements.operate('chain give-up', { chain: CHAIN, address: await signer.addressOf('operator'), ...more }, BY);
const idOf = (movements: MovementsUnderTest) =>
  (movements.ofType('TransactionIntended')[0]?.data as { transactionId: string }).transactionId;

describe('an unsigned transaction of a key that will never be available again', () => {
  it('is given up when an operator confirms it, with who stated it and why', async () => {
    const movements = await withoutKey(await leave('TransactionIntended'));
    const id = idOf(movements);
    await expect(giveUp(movements, {})).resolves.toMatch(`${id}: not signed, would be given up\nnothing was changed`);
    // An unset variable in a script must not mean every transaction of the key.
    await expect(giveUp(movements, { confirm: 'yes', transaction: '' })).rejects.toThrow('must not be empty');
    expect((await movements.mintOf('left')).state).toBe('created');
    await expect(giveUp(movements)).resolves.toBe(`${id}: given up; the funds are returned`);
    const [given] = movements.ofType('TransactionGivenUp').map(({ data }) => data as TransactionGivenUp['data']);
    expect(given).toMatchObject({ transactionId: id, reason: 'key-unavailable', statement: BY });
    expect((await movements.mintOf('left')).state).toBe('failed');
    await eventually(async () => expect(await movements.gauge('ponte_operator_pending_transactions', UNKNOWN)).toBe(0));
    await expect(giveUp(movements)).rejects.toThrow('no unfinished transactions');
  });

  it('is not given up while movements has the key', async () => {
    const movements = await leave('TransactionIntended');
    await movements.start();
    await expect(giveUp(movements)).rejects.toThrow('movements has this key');
    expect((await movements.ended('left')).state).toBe('completed');
    const replaced = await tests.open({ beside: movements, keys: another, former: signer }).start();
    await expect(giveUp(replaced)).rejects.toThrow('movements has this key');
  });

  it('is never sent afterwards, although its key comes back', async () => {
    const before = await leave('TransactionIntended');
    const movements = await withoutKey(before);
    await giveUp(movements);
    await movements.stop();
    await before.start();
    await before.mint('after');
    expect((await before.ended('after')).state).toBe('completed');
    expect(before.ofType('TransactionSigned')).toHaveLength(1);
    expect((await before.mintOf('left')).state).toBe('failed');
  });

  it('is given up although it has a nonce, which is a gap if its key comes back', async () => {
    const before = await leave('NoncesAllocated');
    const movements = await withoutKey(before);
    await expect(giveUp(movements)).resolves.toContain('given up');
    await movements.stop();
    await before.start();
    await before.mint('behind');
    const gap = () => before.gauge('ponte_nonce_gap', { chain: CHAIN, operator: 'operator' });
    await eventually(async () => expect([before.nonces(), await gap()]).toEqual([[0, 1], 1]));
    expect(await before.gauge('ponte_nonce_unsigned', { chain: CHAIN, operator: 'operator' })).toBe(0);
    await expect(before.operate('chain fill-nonce-gap', { chain: CHAIN })).resolves.toContain('sent 0');
    expect((await before.ended('behind')).state).toBe('completed');
    expect(await gap()).toBe(0);
    await expect(before.balance()).resolves.toBe(25n * 10n ** 17n);
  });

  it('fails although the process ended after it withheld the nonce, and the key comes back', async () => {
    const before = await leave('TransactionIntended');
    const movements = await withoutKey(before);
    const { struck } = movements.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some(({ type }) => type === 'NoncesAllocated'),
    });
    await Promise.allSettled([giveUp(movements), struck]);
    await movements.stop();
    await before.start();
    expect((await before.ended('left')).state).toBe('failed');
    expect(before.ofType('TransactionGivenUp').map(({ data }) => data)).toMatchObject([{ reason: 'refused' }]);
    expect(before.ofType('TransactionSigned')).toEqual([]);
  });

  it('is not given up when another process signs it first', async () => {
    const before = await leave('TransactionIntended', { replicated: true, instant: false });
    const movements = await withoutKey(before, { replicated: true, instant: false });
    const taken = jest.spyOn(movements.base, 'taken').mockImplementationOnce(async () => {
      await before.start(second.path);
      await eventually(() => expect(before.ofType('TransactionSigned')).toHaveLength(1));
      return false;
    });
    await expect(giveUp(movements)).rejects.toThrow('not given up: it was signed');
    expect(taken).toHaveBeenCalled();
    expect(movements.ofType('TransactionGivenUp')).toEqual([]);
    await before.broadcast('left');
    before.base.mine();
    expect((await before.ended('left')).state).toBe('completed');
  });

  it('is not given up when the contract has already used its reference, for example before the log was restored', async () => {
    const before = await leave('TransactionIntended');
    const movements = await withoutKey(before);
    jest.spyOn(movements.base, 'taken').mockResolvedValue(true);
    await expect(giveUp(movements)).rejects.toThrow('the contract has taken its reference');
    expect(movements.ofType('TransactionGivenUp')).toEqual([]);
  });
});

it('a signed transaction is not given up with the unsigned ones', async () => {
  const before = await leave('TransactionSigned', { instant: false, forget: false });
  const movements = await withoutKey(before, { instant: false, forget: false });
  const id = idOf(movements);
  await expect(giveUp(movements, { transaction: id, confirm: 'yes' })).rejects.toThrow(
    `${id}: signed, so it is given up only with --signed`,
  );
  await movements.broadcast('left');
  movements.base.mine();
  expect((await movements.ended('left')).state).toBe('completed');
});

it('only the named transaction is given up, even if its nonce was withheld before', async () => {
  const before = await leave('TransactionIntended');
  const named = idOf(before);
  const address = await signer.addressOf('operator');
  const { type, data } = new NoncesAllocated({
    chain: CHAIN,
    address,
    first: 0,
    transactionIds: [],
    withheld: [named],
  });
  const meta = { commandId: 'hold', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'hold' };
  before.log.append(`signerKey-${signerKeyId(CHAIN, address)}`, -1, [
    { id: eventId('hold', 0), type, version: 1, data, meta },
  ]);
  const movements = await withoutKey(before);
  await expect(giveUp(movements, { transaction: 'another', confirm: 'yes' })).rejects.toThrow('no unfinished');
  await expect(giveUp(movements, { transaction: named, confirm: 'yes' })).resolves.toContain('given up');
});
