import 'reflect-metadata';
import type { TransactionGivenUp } from '@ponte/contracts';
import { NoncesAllocated } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import type { Hex } from '../chain/chain.port';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { signerKeyId } from '../signer-key/signer-key.decider';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { TO, signer } from '../testing/movements-under-test';

const CHAIN = 'eth-base';
const UNKNOWN = { chain: CHAIN, operator: 'unknown' } as const;
const BY = { actor: 'ana', reason: 'keystore and backups burned' } as const;
/** A block is final with the next one. */
const SETUP = { instant: false, forget: false, finality: 2 } as const;
const tests = movementsForEachTest();
const another = new SimulatedSigner('another');
let lost: Hex;
let movements: MovementsUnderTest;

/** A mint of the lost key is signed behind a nonce that no transaction has, and movements starts without the key. */
beforeEach(async () => {
  lost = await signer.addressOf('operator');
  const before = tests.open(SETUP);
  const { type, data } = new NoncesAllocated({ chain: CHAIN, address: lost, first: 1, transactionIds: [] });
  const meta = { commandId: 'skip', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'skip' };
  before.log.append(`signerKey-${signerKeyId(CHAIN, lost)}`, -1, [
    { id: eventId('skip', 0), type, version: 1, data, meta },
  ]);
  await (await before.start()).diesAfter('TransactionSigned', 'behind');
  movements = await tests.open({ ...SETUP, beside: before, keys: another }).start();
  await eventually(async () =>
    expect(await movements.gauge('ponte_operator_pending_transactions', UNKNOWN)).toBeGreaterThan(0),
  );
  await movements.broadcast('behind');
});

const giveUp = (more: Readonly<Record<string, string>> = { confirm: 'yes' }) =>
  movements.operate('chain give-up', { chain: CHAIN, address: lost, signed: 'yes', ...more }, BY);
const state = async () => (await movements.mintOf('behind')).state;

/** The contracts do not accept the lost key in a final block. */
function revoke(): void {
  movements.base.setOperator(lost, false);
  movements.base.mine();
}

/** The nonce before the mint's is used after all, as by a thief, so that the chain can mine the mint. */
async function fillGap(): Promise<void> {
  const call = movements.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
  await movements.base.broadcast((await signed(movements.base, signer, 'operator', call, 0)).raw);
  movements.base.mine(3);
}

describe('a signed transaction of a lost key, behind a nonce that nothing uses', () => {
  it('is given up when its contract does not accept the key in a final block, and its bytes have no effect later', async () => {
    await expect(giveUp()).rejects.toThrow('not given up: its contract still accepts the key');
    movements.base.setOperator(lost, false);
    await expect(giveUp()).rejects.toThrow('not given up: its contract still accepts the key');
    expect(await state()).toBe('pending');
    movements.base.mine();
    await expect(giveUp({})).resolves.toMatch(
      /: signed, would be given up: its contract no longer accepts the key\nnothing was changed/,
    );
    expect(await state()).toBe('pending');
    await expect(giveUp()).resolves.toMatch(/: given up; the funds are returned$/);

    const [given] = movements.ofType('TransactionGivenUp').map(({ data }) => data as TransactionGivenUp['data']);
    const { minter: contract } = movements.base.deployment;
    const { txHash } = await movements.mintOf('behind');
    expect(given).toMatchObject({ reason: 'key-unavailable', statement: BY, txHash, revoked: { contract } });
    expect(await state()).toBe('failed');
    await eventually(async () => expect(await movements.gauge('ponte_operator_pending_transactions', UNKNOWN)).toBe(0));
    await expect(giveUp()).rejects.toThrow('the key has no unfinished transactions');

    await fillGap();
    await expect(movements.base.transaction(txHash as Hex)).resolves.toMatchObject({
      status: 'mined',
      succeeded: false,
    });
    await expect(movements.balance()).resolves.toBe(0n);
    expect(movements.types().at(-1)).toBe('TransactionGivenUp');
  });

  it('is not given up while the node does not answer, nor without --signed', async () => {
    revoke();
    movements.base.setReachable(false);
    await expect(giveUp()).rejects.toThrow('not given up: too few nodes answered');
    movements.base.setReachable(true);
    await expect(
      movements.operate('chain give-up', { chain: CHAIN, address: lost, confirm: 'yes' }, BY),
    ).rejects.toThrow('the key has no unsigned transactions');
    expect(movements.ofType('TransactionGivenUp')).toEqual([]);
  });

  it('is given up once, although the process ends in between', async () => {
    revoke();
    const before = movements;
    const { struck } = before.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some(({ type }) => type === 'TransactionGivenUp'),
    });
    await Promise.allSettled([giveUp(), struck]);
    await before.stop();
    movements = await tests.open({ ...SETUP, beside: before, keys: another }).start();
    await eventually(() => expect(giveUp()).rejects.toThrow('the key has no unfinished transactions'));
    expect(await state()).toBe('failed');
    expect(movements.ofType('TransactionGivenUp')).toHaveLength(1);
  });

  it('completes when its bytes are mined before the role is revoked', async () => {
    await fillGap();
    revoke();
    expect((await movements.ended('behind')).state).toBe('completed');
    // The list of unfinished transactions may be behind.
    await eventually(() => expect(giveUp()).rejects.toThrow('the key has no unfinished transactions'));
    await expect(movements.balance()).resolves.toBe(25n * 10n ** 17n);
  });
});
