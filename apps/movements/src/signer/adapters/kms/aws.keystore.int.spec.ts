import { Unavailable } from '@ponte/kernel';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import type { Hex } from '../../../chain/chain.port';
import { TRANSACTION } from '../signer.contract';
import type { AwsKeystoreOptions } from './aws.keystore.adapter';
import { AwsKeystore } from './aws.keystore.adapter';
import { KmsDouble } from '@ponte/testing';

/** Half the order of secp256k1's group: the largest `s` that Ethereum accepts (EIP-2). */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

let kms: KmsDouble;
const opened: AwsKeystore[] = [];
beforeEach(async () => {
  kms = await KmsDouble.start();
});
afterEach(async () => {
  for (const store of opened.splice(0)) store.close();
  await kms.stop();
});

async function open(options: Partial<AwsKeystoreOptions> = {}): Promise<AwsKeystore> {
  const store = await AwsKeystore.open({
    aliasPrefix: 'alias/ponte/',
    client: { ...kms.client, maxAttempts: 3 },
    ...options,
  });
  opened.push(store);
  return store;
}

const senderOf = async (raw: Hex): Promise<string> =>
  (await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toLowerCase();

describe('A keystore in AWS KMS', () => {
  it('signs the given transaction as the address of the key, with a low s, whichever half KMS returns', async () => {
    kms.addKey('alias/ponte/operator');
    const store = await open({ required: ['operator'] });
    const address = await store.addressOf('operator');
    for (let nonce = 1; nonce <= 40; nonce += 1) {
      const { raw } = await store.signTransaction('operator', { ...TRANSACTION, nonce });
      const read = parseTransaction(raw as `0x02${string}`);
      expect({ ...read, to: read.to?.toLowerCase() }).toMatchObject({ ...TRANSACTION, nonce });
      expect(BigInt(read.s ?? 0)).toBeLessThanOrEqual(LARGEST_S);
      expect(await senderOf(raw)).toBe(address);
    }
  });

  it('finds the same key again after a restart', async () => {
    const address = await (await open({ missing: 'create' })).createKey('operator');
    const again = await open({ required: ['operator'] });
    expect(await again.addressOf('operator')).toBe(address);
    expect(kms.liveKeys).toBe(1);
  });

  it('reports a surplus key that it may not delete as unavailable, and finds the other key on the next attempt', async () => {
    kms.deny('ScheduleKeyDeletion');
    const stores = await Promise.all(Array.from({ length: 6 }, () => open({ missing: 'create' })));
    const created = await Promise.allSettled(stores.map((store) => store.createKey('operator')));
    const failed = created.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(failed.length).toBeGreaterThan(0);
    for (const reason of failed) expect(reason).toBeInstanceOf(Unavailable);
    const addresses = await Promise.all(stores.map((store) => store.createKey('operator')));
    expect(new Set(addresses).size).toBe(1);
  });

  it('refuses to start without a required key and says how to create it', async () => {
    await expect(open({ required: ['operator'] })).rejects.toThrow(
      /no key alias\/ponte\/operator.*ECC_SECG_P256K1.*SIGN_VERIFY/,
    );
    expect(kms.calls).not.toContain('CreateKey');
  });

  it('is asked once in ten seconds for a key that it does not have, and finds it afterwards', async () => {
    let now = 0;
    const store = await open({ now: () => now });
    const asked = () => kms.calls.filter((call) => call === 'GetPublicKey').length;
    for (let time = 0; time < 3; time += 1) await expect(store.addressOf('operator')).rejects.toThrow(/no key/);
    expect(asked()).toBe(1);
    kms.addKey('alias/ponte/operator');
    now = 9_999;
    await expect(store.addressOf('operator')).rejects.toThrow(/no key/);
    now = 10_000;
    await expect(store.addressOf('operator')).resolves.toMatch(/^0x/);
    expect(asked()).toBe(2);
  });

  it('still reports a key that did not exist as missing while KMS does not answer, and finds it afterwards', async () => {
    let now = 0;
    const store = await open({ now: () => now });
    await expect(store.addressOf('operator-2')).rejects.toThrow(/no key/);
    now = 10_000;
    kms.failNext('AccessDeniedException', 'AccessDeniedException', 'AccessDeniedException');
    await expect(store.addressOf('operator-2')).rejects.toThrow(/no key/);
    await expect(store.addressOf('operator-3')).rejects.toBeInstanceOf(Unavailable);
    await expect(store.createKey('operator-2')).rejects.toBeInstanceOf(Unavailable);
    kms.addKey('alias/ponte/operator-2');
    await expect(store.createKey('operator-2')).resolves.toMatch(/^0x/);
  });

  it('creates a key at once that it did not find before', async () => {
    const store = await open({ missing: 'create', now: () => 0 });
    await expect(store.addressOf('operator')).rejects.toThrow(/no key/);
    const address = await store.createKey('operator');
    await expect(store.addressOf('operator')).resolves.toBe(address);
  });

  it('refuses a key on another curve', async () => {
    kms.addKey('alias/ponte/operator', 'ECC_NIST_P256');
    await expect(open({ required: ['operator'] })).rejects.toThrow('ECC_SECG_P256K1');
  });

  it('keeps one key when several processes create it at once', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => open({ missing: 'create' })));
    const addresses = await Promise.all(stores.map((store) => store.createKey('operator')));
    expect(new Set(addresses).size).toBe(1);
    expect(kms.liveKeys).toBe(1);
  });

  it('retries when KMS throttles or fails briefly', async () => {
    kms.addKey('alias/ponte/operator');
    const store = await open({ required: ['operator'] });
    kms.failNext('ThrottlingException', 'KMSInternalException');
    await expect(store.signTransaction('operator', TRANSACTION)).resolves.toMatchObject({
      hash: expect.stringMatching(/^0x/) as string,
    });
    expect(kms.calls.filter((call) => call === 'Sign')).toHaveLength(3);
  });

  it.each(['AccessDeniedException', 'DisabledException', 'KMSInvalidStateException'])(
    'reports %s as unavailable, and signs again once the fault is fixed',
    async (exception) => {
      kms.addKey('alias/ponte/operator');
      const store = await open({ required: ['operator'] });
      kms.failNext(exception);
      const refused = store.signTransaction('operator', TRANSACTION);
      await expect(refused).rejects.toBeInstanceOf(Unavailable);
      await expect(refused).rejects.toThrow(exception);
      const { raw } = await store.signTransaction('operator', TRANSACTION);
      expect(await senderOf(raw)).toBe(await store.addressOf('operator'));
    },
  );

  it('gives up on a KMS that does not answer', async () => {
    kms.addKey('alias/ponte/operator');
    const store = await open({ required: ['operator'], client: { ...kms.client, maxAttempts: 1 } });
    kms.failNext('silence');
    await expect(store.signTransaction('operator', TRANSACTION)).rejects.toThrow('the key operator: TimeoutError');
  });

  it('rejects a signature of another key', async () => {
    kms.addKey('alias/ponte/operator');
    const store = await open({ required: ['operator'] });
    kms.failNext('foreign-signature');
    await expect(store.signTransaction('operator', TRANSACTION)).rejects.toThrow('not of 0x');
  });

  it('does not send KMS a transaction that none of our chains would accept', async () => {
    kms.addKey('alias/ponte/operator');
    const store = await open({ required: ['operator'] });
    const before = kms.calls.length;
    for (const change of [{ chainId: 5 }, { gas: 10n ** 9n }, { value: -1n }, { maxFeePerGas: 10n ** 15n }]) {
      await expect(store.signTransaction('operator', { ...TRANSACTION, ...change })).rejects.toThrow(RangeError);
    }
    await expect(store.addressOf('no space')).rejects.toThrow(TypeError);
    expect(kms.calls).toHaveLength(before);
  });
});
