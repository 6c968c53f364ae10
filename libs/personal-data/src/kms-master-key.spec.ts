import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SealBroken } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { KmsDouble, temporaryFolder } from '@ponte/testing';
import { masterKeyFrom } from './given-master-key';
import { keyRing, rewrapped } from './key-ring';
import { kmsMasterKey } from './kms-master-key';
import type { MasterKey } from './personal-data';
import { localMasterKey } from './personal-data';

const PERSONAL = Buffer.alloc(32, 1);
const local = localMasterKey(Buffer.alloc(32, 7));

let kms: KmsDouble;
let arn: string;
let master: MasterKey;
const open = (named = kms.addSymmetricKey()): MasterKey => kmsMasterKey(named, kms.client);
beforeEach(async () => {
  kms = await KmsDouble.start();
  arn = kms.addSymmetricKey();
  master = open(arn);
});
afterEach(() => kms.stop());

describe('A master key in KMS', () => {
  it('wraps and unwraps the key of a subject, and loads nothing before its first use', async () => {
    expect(kms.calls).toEqual([]);
    const wrapped = await master.wrap(PERSONAL, 'ana');
    expect(wrapped.includes(PERSONAL)).toBe(false);
    expect(await open(arn).unwrap(wrapped, 'ana')).toEqual(PERSONAL);
    expect(kms.calls).toEqual(['Encrypt', 'Decrypt']);
  });

  it('asks KMS once for a value that it has wrapped or unwrapped', async () => {
    const wrapped = await master.wrap(PERSONAL, 'ana');
    const other = open(arn);
    for (const one of [master, other, other]) expect(await one.unwrap(wrapped, 'ana')).toEqual(PERSONAL);
    expect(kms.calls).toEqual(['Encrypt', 'Decrypt']);
  });

  it('unwraps nothing for another subject, or of another key, in KMS or not', async () => {
    const wrapped = await master.wrap(PERSONAL, 'ana');
    await expect(master.unwrap(wrapped, 'eva')).rejects.toBeInstanceOf(SealBroken);
    await expect(open().unwrap(wrapped, 'ana')).rejects.toBeInstanceOf(SealBroken);
    await expect(master.unwrap(await local.wrap(PERSONAL, 'ana'), 'ana')).rejects.toBeInstanceOf(SealBroken);
    await expect(local.unwrap(wrapped, 'ana')).rejects.toBeInstanceOf(SealBroken);
  });

  it('is identified by its ARN, and refuses an alias', () => {
    expect(open(arn).fingerprint).toBe(master.fingerprint);
    expect(open().fingerprint).not.toBe(master.fingerprint);
    expect(arn).not.toContain(master.fingerprint);
    for (const name of ['alias/ponte/master', arn.replace(':key/', ':alias/'), `${arn}/x`, ''])
      expect(() => open(name)).toThrow('must be named by its key ARN');
  });

  it('is unavailable, and not broken, while KMS fails, throttles or denies access, and works again afterwards', async () => {
    const wrapped = await master.wrap(PERSONAL, 'ana');
    for (const fault of ['AccessDeniedException', 'DisabledException', 'KMSInvalidStateException']) {
      kms.failNext(fault);
      await expect(open(arn).unwrap(wrapped, 'ana')).rejects.toBeInstanceOf(Unavailable);
    }
    // The SDK repeats what may succeed soon.
    kms.failNext('ThrottlingException', 'KMSInternalException');
    expect(await open(arn).unwrap(wrapped, 'ana')).toEqual(PERSONAL);
    await kms.stop();
    await expect(master.wrap(PERSONAL, 'eva')).rejects.toBeInstanceOf(Unavailable);
    kms = await KmsDouble.start();
  });

  it('can replace a key in a file, and be replaced by one', async () => {
    for (const [before, after] of [
      [local, master],
      [master, local],
      [master, open()],
    ] as const) {
      const wrapped = await before.wrap(PERSONAL, 'ana');
      const ring = keyRing(after, [before]);
      expect(await ring.unwrap(wrapped, 'ana')).toEqual(PERSONAL);
      const again = (await rewrapped(ring, wrapped, 'ana')) ?? Buffer.alloc(0);
      expect(await after.unwrap(again, 'ana')).toEqual(PERSONAL);
      expect(await rewrapped(ring, again, 'ana')).toBeUndefined();
    }
  });
});

describe('The settings of the master key', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const file = join(folder.path, 'master.key');
  writeFileSync(file, `${'07'.repeat(32)}\n`);

  it('name a key in a file or in KMS, and the previous one of either kind', () => {
    const other = kms.addSymmetricKey();
    expect(masterKeyFrom({ PONTE_MASTER_KEY_FILE: file }).fingerprints).toEqual([local.fingerprint]);
    expect(masterKeyFrom({ PONTE_MASTER_KEY_KMS: arn, PONTE_OTHER_MASTER_KEY_FILE: file }).fingerprints).toEqual([
      open(arn).fingerprint,
      local.fingerprint,
    ]);
    expect(
      masterKeyFrom({ PONTE_MASTER_KEY: '07'.repeat(32), PONTE_OTHER_MASTER_KEY_KMS: other }).fingerprints,
    ).toEqual([local.fingerprint, open(other).fingerprint]);
  });

  it('are refused if no key, two keys, or a malformed one is named', () => {
    expect(() => masterKeyFrom({})).toThrow('must be set');
    expect(() => masterKeyFrom({ PONTE_MASTER_KEY_FILE: file, PONTE_MASTER_KEY_KMS: arn })).toThrow('set only one of');
    expect(() => masterKeyFrom({ PONTE_MASTER_KEY_KMS: 'alias/ponte' })).toThrow('key ARN');
    expect(() => masterKeyFrom({ PONTE_MASTER_KEY: 'short' })).toThrow('32 bytes in hex');
    writeFileSync(`${file}.empty`, '');
    expect(() => masterKeyFrom({ PONTE_MASTER_KEY_FILE: file, PONTE_OTHER_MASTER_KEY_FILE: `${file}.empty` })).toThrow(
      '32 bytes in hex',
    );
  });
});
