import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import type { FormerKeystoreNumber } from '../../movements-settings.port';
import { operatorKeyIds } from '../../movements-settings.port';
import { openKeystores } from './open-keystores';
import { TRANSACTION } from './signer.contract';

const FILE = { kind: 'file', passphrase: 'correct horse' } as const;
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Each former keystore has one key that is used. */
const open = (...former: FormerKeystoreNumber[]) =>
  openKeystores({
    keystore: FILE,
    formerKeys: former.map((number) => ({ number, keystore: FILE, count: 1 })),
    usedKeyIds: operatorKeyIds(2),
    folder: folder.path,
    environment: 'sandbox',
  });

describe('a keystore next to a former one', () => {
  it('is refused while there is no former one, which is never created', async () => {
    await open();
    await expect(open(1)).rejects.toThrow('there is no keystore at');
  });

  it('signs with the keys of both, which the prefix tells apart', async () => {
    const before = await (await open()).addressOf('operator');
    await rename(join(folder.path, 'keystore.json'), join(folder.path, 'former-keystore.json'));
    const keys = await open(1);
    expect(await keys.addressOf('former/operator')).toBe(before);
    expect(await keys.addressOf('operator')).not.toBe(before);
    for (const keyId of ['operator', 'former/operator']) {
      const { raw } = await keys.signTransaction(keyId, TRANSACTION);
      expect(await keys.senderOf(raw)).toBe(await keys.addressOf(keyId));
    }
  });

  it('signs with the keys of several former ones', async () => {
    const addresses = async (...numbers: FormerKeystoreNumber[]) => {
      const keys = await open(...numbers);
      const ids = [
        'operator',
        ...numbers.map((number) => (number === 1 ? 'former/operator' : `former/${number}/operator`)),
      ];
      for (const keyId of ids) {
        const { raw } = await keys.signTransaction(keyId, TRANSACTION);
        expect(await keys.senderOf(raw)).toBe(await keys.addressOf(keyId));
      }
      return Promise.all(ids.map((keyId) => keys.addressOf(keyId)));
    };
    const [second, first] = await addresses(1);
    await rename(join(folder.path, 'former-keystore.json'), join(folder.path, 'former-keystore-3.json'));
    await rename(join(folder.path, 'keystore.json'), join(folder.path, 'former-keystore.json'));
    const [third, ...former] = await addresses(1, 3);
    expect(former).toEqual([second, first]);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await addresses(3)).toEqual([third, first]);
    await expect(open(1, 2)).rejects.toThrow('former-keystore-2.json');
    await copyFile(join(folder.path, 'former-keystore.json'), join(folder.path, 'former-keystore-2.json'));
    await expect(open(1, 2)).rejects.toThrow('two former keystores have the key 0x');
    expect(await addresses(2)).toEqual([third, second]);
  });

  it('is refused when they have a key in common', async () => {
    await rename(join(folder.path, 'former-keystore.json'), join(folder.path, 'keystore.json'));
    await copyFile(join(folder.path, 'keystore.json'), join(folder.path, 'former-keystore.json'));
    await expect(open(1)).rejects.toThrow('the former keystore has the key 0x');
  });
});
