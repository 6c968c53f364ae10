import { derivedId } from '@ponte/kernel';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import type { Keystore, Signer } from '../signer/signer.port';
import { isResponsibleFor, keyIdOf, operatorKeyFor } from './operator-keys';
import type { Hex } from '../chain/chain.port';
import { operatorKeyIds } from '../movements-settings.port';

describe('the operator keys', () => {
  it('share transactions almost evenly, and a transaction keeps its key', () => {
    const keys = operatorKeyIds(4);
    expect(keys).toEqual(['operator', 'operator-2', 'operator-3', 'operator-4']);
    const ids = Array.from({ length: 2_000 }, (_, at) => derivedId('t', String(at)));
    for (const key of keys) expect(ids.filter((id) => operatorKeyFor(id, keys) === key).length).toBeGreaterThan(400);
    expect(ids.map((id) => operatorKeyFor(id, keys))).toEqual(ids.map((id) => operatorKeyFor(id, keys)));
    expect(() => operatorKeyFor(ids[0] ?? '', [])).toThrow('no operator key');
  });

  it('are chosen by six digits of the id, as for the transactions that have their keys already', () => {
    expect(operatorKeyFor('e100000', operatorKeyIds(3))).toBe('operator-2');
    expect(operatorKeyFor('0000002', operatorKeyIds(3))).toBe('operator-3');
  });
});

describe('the transactions of an address', () => {
  // Only addresses are asked for.
  const signer = new SimulatedSigner() as Keystore as Signer;
  const settings = { heldKeyIds: ['operator', 'operator-2', 'former/operator'] };
  /** For each key, whether its watcher handles them. */
  const watchers = (address: Hex) =>
    Promise.all(settings.heldKeyIds.map((keyId) => isResponsibleFor({ signer, keyId, settings }, address)));

  it('have the watcher of their key, and those of an unknown key that of the first one', async () => {
    const addresses = await Promise.all(settings.heldKeyIds.map((keyId) => signer.addressOf(keyId)));
    await expect(Promise.all(addresses.map(watchers))).resolves.toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
    const unknown = await new SimulatedSigner('another').addressOf('operator');
    await expect(watchers(unknown)).resolves.toEqual([true, false, false]);
    await expect(keyIdOf({ signer, settings }, unknown)).resolves.toBeUndefined();
    await expect(keyIdOf({ signer, settings }, addresses[2] as Hex)).resolves.toBe('former/operator');
  });
});
