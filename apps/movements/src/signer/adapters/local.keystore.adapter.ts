import { hkdfSync, randomBytes } from 'node:crypto';
import { keccak256, toHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../chain/chain.port';
import type { Keystore, SignedTransaction, UnsignedTransaction } from '../signer.port';
import { readIfThere, writeDurably } from '../../chain/adapters/durable-file';
import { recoveredSender } from './recovered-sender';
import { SEED_BYTES, openSeed, sealSeed } from './sealed-seed';
import { assertSignable } from './signable';

interface LocalKeystoreOptions {
  /** The encrypted file. */
  readonly file: string;
  readonly passphrase: string;
  /**
   * What to do when there is no file. Use `refuse` where the contracts name the keys: a new seed has other addresses,
   * so the right to mint and move would be lost without an error. `create` (the default) is for a sandbox.
   */
  readonly missing?: 'create' | 'refuse';
  /** 32 bytes for a new file, so that a test or a restored sandbox has the same addresses. Random by default. */
  readonly seed?: Buffer;
}

/** Order of secp256k1's group. Private keys are from 1 to the order minus 1. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** 48 bytes for a 32-byte range, so that the bias of the modulus is below 2^-128. */
const DERIVED_BYTES = 48;
/** Number of cached accounts: deriving one takes half a millisecond. */
const CACHE_LIMIT = 1_000;

/**
 * Keys in this process, for one machine. The whole store is one encrypted seed: each key is derived from the seed and
 * its id (HKDF-SHA256). So creating a key writes nothing and can be repeated after any crash, and a backup of the file
 * is a backup of every key. An attacker who can read the memory of the process has the keys; outside a sandbox use a
 * KMS behind the same port.
 */
export class LocalKeystore implements Keystore {
  // Private (`#`) fields: a keystore that is logged or serialized by mistake reveals nothing.
  readonly #accounts = new Map<string, PrivateKeyAccount>();
  readonly #seed: Buffer;

  private constructor(seed: Buffer) {
    this.#seed = seed;
  }

  /** Rejects with an Error when the file cannot be decrypted, or is missing where it must exist. */
  static async open({ file, passphrase, missing = 'create', seed }: LocalKeystoreOptions): Promise<LocalKeystore> {
    if (passphrase === '') throw new Error('the keystore needs a passphrase');
    const content = await readIfThere(file);
    if (content !== undefined) return new LocalKeystore(await openSeed(content, passphrase));
    if (missing === 'refuse') {
      throw new Error(
        `there is no keystore at ${file}: restore the file from its backup. In production a new one is never created, because its keys would be different`,
      );
    }
    const fresh = seed ?? randomBytes(SEED_BYTES);
    if (fresh.length !== SEED_BYTES) throw new Error(`a keystore's seed has ${SEED_BYTES} bytes`);
    await writeDurably(file, `${JSON.stringify(await sealSeed(fresh, passphrase))}\n`);
    return new LocalKeystore(fresh);
  }

  createKey(keyId: string): Promise<Hex> {
    return this.addressOf(keyId);
  }

  async addressOf(keyId: string): Promise<Hex> {
    return this.account(keyId).address.toLowerCase() as Hex;
  }

  async signTransaction(keyId: string, transaction: UnsignedTransaction): Promise<SignedTransaction> {
    assertSignable(transaction);
    const raw = await this.account(keyId).signTransaction({ type: 'eip1559', ...transaction });
    return { raw, hash: keccak256(Buffer.from(raw.slice(2), 'hex')) };
  }

  senderOf(raw: Hex): Promise<Hex> {
    return recoveredSender(raw);
  }

  private account(keyId: string): PrivateKeyAccount {
    const known = this.#accounts.get(keyId);
    if (known !== undefined) return known;
    if (keyId === '') throw new TypeError('a key id is not empty');
    const account = privateKeyToAccount(this.privateKey(keyId));
    const oldest = this.#accounts.keys().next().value;
    if (this.#accounts.size >= CACHE_LIMIT && oldest !== undefined) this.#accounts.delete(oldest);
    this.#accounts.set(keyId, account);
    return account;
  }

  private privateKey(keyId: string): Hex {
    const derived = Buffer.from(
      hkdfSync('sha256', this.#seed, Buffer.alloc(0), `ponte/signer/v1/${keyId}`, DERIVED_BYTES),
    );
    const scalar = (BigInt(`0x${derived.toString('hex')}`) % (GROUP_ORDER - 1n)) + 1n;
    return toHex(scalar, { size: 32 });
  }
}
