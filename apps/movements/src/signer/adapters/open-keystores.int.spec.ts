import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { operatorKeyIds } from '../../movements-settings.port';
import { openKeystores } from './open-keystores';
import { TRANSACTION } from './signer.contract';

const FILE = { kind: 'file', passphrase: 'correct horse' } as const;
const folder = temporaryFolder();
afterAll(() => folder.remove());

const open = (formerKeys?: number) =>
  openKeystores({
    keystore: FILE,
    ...(formerKeys !== undefined && { formerKeys: { keystore: FILE, count: formerKeys } }),
    usedKeyIds: operatorKeyIds(2),
    folder: folder.path,
    environment: 'sandbox',
  });

describe('a keystore beside a former one', () => {
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

  it('is refused when they have a key in common', async () => {
    await rename(join(folder.path, 'former-keystore.json'), join(folder.path, 'keystore.json'));
    await copyFile(join(folder.path, 'keystore.json'), join(folder.path, 'former-keystore.json'));
    await expect(open(1)).rejects.toThrow('the former keystore has the key 0x');
  });
});
