import type { KMSClientConfig } from '@aws-sdk/client-kms';
import {
  AlreadyExistsException,
  CreateAliasCommand,
  CreateKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  NotFoundException,
  ScheduleKeyDeletionCommand,
  SignCommand,
} from '@aws-sdk/client-kms';
import { Unavailable } from '@ponte/kernel';
import { keccak256, serializeTransaction, toBytes } from 'viem';
import type { Hex } from '../../../chain/chain.port';
import type { Keystore, SignedTransaction, UnsignedTransaction } from '../../signer.port';
import { recoveredSender } from '../recovered-sender';
import { assertSignable } from '../signable';
import { addressOfSpki, recoverable } from './kms-signature';

export interface AwsKeystoreOptions {
  /** Precedes the id of each key: with `alias/ponte/`, the key `operator` has the alias `alias/ponte/operator`. */
  readonly aliasPrefix: string;
  /** Keys that must exist when the store opens. */
  readonly required?: readonly string[];
  /** What to do when a key does not exist. `create` is for sandboxes: in production an operator creates keys. */
  readonly missing?: 'create' | 'refuse';
  /** For tests: milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** For tests. Otherwise the SDK determines region, credentials and endpoint (`AWS_REGION`, a role, …). */
  readonly client?: KMSClientConfig;
}

/** Attempts per call, including the first. The SDK waits between them with jitter. */
const ATTEMPTS = 3;
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true } as const;
/**
 * For how long KMS is not asked again for a key that it does not have, ms. The deposit scan asks for every key that may
 * have signed, at every page. Short, because another process may sign with a key soon after it was created. While KMS
 * cannot be reached, a key that it did not have is still believed missing: deposits need no signature.
 */
const MISSING_MS = 10_000;
/** The shortest time that KMS allows before it deletes a key. */
const DELETION_DAYS = 7;

/**
 * Keys in AWS KMS (`ECC_SECG_P256K1`, `SIGN_VERIFY`), one for each operator, found by alias. A private key never leaves
 * KMS. A rotated key has another address: create it under a new alias and make it an operator in the contracts.
 *
 * Signatures differ each time, even for the same transaction, so the caller must store the bytes before it broadcasts
 * them. Calls reject with `Unavailable` while KMS cannot be reached, throttles, or denies access.
 */
export class AwsKeystore implements Keystore {
  private readonly addresses = new Map<string, Promise<Hex>>();
  /** Keys that KMS does not have, and until when they are believed missing. */
  private readonly missing = new Map<string, { readonly error: KeyMissing; readonly until: number }>();

  private constructor(
    private readonly kms: KMSClient,
    private readonly options: AwsKeystoreOptions,
  ) {}

  /** Rejects with an Error that names the key when a required key does not exist or cannot be used. */
  static async open(options: AwsKeystoreOptions): Promise<AwsKeystore> {
    const kms = new KMSClient({ maxAttempts: ATTEMPTS, requestHandler: TIMEOUTS, ...options.client });
    const store = new AwsKeystore(kms, options);
    for (const keyId of options.required ?? []) await store.createKey(keyId);
    return store;
  }

  async createKey(keyId: string): Promise<Hex> {
    this.missing.delete(keyId);
    try {
      return await this.addressOf(keyId);
    } catch (error) {
      if (!(error instanceof KeyMissing) || this.options.missing !== 'create') throw error;
      await this.create(keyId);
      this.missing.delete(keyId);
      return this.addressOf(keyId);
    }
  }

  addressOf(keyId: string): Promise<Hex> {
    const known = this.addresses.get(keyId);
    if (known) return known;
    const missing = this.missing.get(keyId);
    if (missing && this.now() < missing.until) return Promise.reject(missing.error);
    const address = this.readAddress(keyId).catch((error: unknown) => {
      throw missing && error instanceof Unavailable ? missing.error : error;
    });
    this.addresses.set(keyId, address);
    address.catch((error: unknown) => {
      this.addresses.delete(keyId);
      if (error instanceof KeyMissing) this.missing.set(keyId, { error, until: this.now() + MISSING_MS });
    });
    return address;
  }

  async signTransaction(keyId: string, transaction: UnsignedTransaction): Promise<SignedTransaction> {
    assertSignable(transaction);
    const unsigned = { type: 'eip1559', ...transaction } as const;
    const digest = toBytes(keccak256(serializeTransaction(unsigned)));
    const address = await this.addressOf(keyId);
    const { Signature: der } = await this.ask(keyId, () =>
      this.kms.send(
        new SignCommand({
          KeyId: this.aliasOf(keyId),
          Message: digest,
          MessageType: 'DIGEST',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      ),
    );
    if (!der) throw new Error('KMS returned no signature');
    const raw = serializeTransaction(unsigned, recoverable(der, digest, address));
    return { raw, hash: keccak256(raw) };
  }

  senderOf(raw: Hex): Promise<Hex> {
    return recoveredSender(raw);
  }

  close(): void {
    this.kms.destroy();
  }

  private now(): number {
    return (this.options.now ?? performance.now.bind(performance))();
  }

  private async readAddress(keyId: string): Promise<Hex> {
    const { PublicKey: spki } = await this.ask(keyId, () =>
      this.kms.send(new GetPublicKeyCommand({ KeyId: this.aliasOf(keyId) })),
    );
    if (!spki) throw new Error('KMS returned no public key');
    return addressOfSpki(spki);
  }

  /** When two processes create the same key at once, the first alias counts, and the other key is deleted. */
  private async create(keyId: string): Promise<void> {
    const created = await this.ask(keyId, () =>
      this.kms.send(
        new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY', Description: `Ponte: ${keyId}` }),
      ),
    );
    const TargetKeyId = created.KeyMetadata?.KeyId;
    try {
      await this.kms.send(new CreateAliasCommand({ AliasName: this.aliasOf(keyId), TargetKeyId }));
    } catch (error) {
      await this.ask(keyId, () =>
        this.kms.send(new ScheduleKeyDeletionCommand({ KeyId: TargetKeyId, PendingWindowInDays: DELETION_DAYS })),
      );
      if (!(error instanceof AlreadyExistsException)) throw unavailable(keyId, error);
    }
  }

  private aliasOf(keyId: string): string {
    if (!/^[\w/-]+$/.test(keyId)) throw new TypeError('a key id may contain only letters, digits, "_", "/" and "-"');
    return `${this.options.aliasPrefix}${keyId}`;
  }

  private async ask<T>(keyId: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof NotFoundException) throw new KeyMissing(this.aliasOf(keyId));
      if (error instanceof TypeError) throw error;
      throw unavailable(keyId, error);
    }
  }
}

/** KMS has no key under this alias. */
class KeyMissing extends Error {
  override readonly name = 'KeyMissing';

  constructor(alias: string) {
    super(
      `KMS has no key ${alias} in this region and account. Create one with key spec ECC_SECG_P256K1 and usage ` +
        'SIGN_VERIFY, give it this alias, and make its address an operator in the contracts',
    );
  }
}

/** The name of the KMS error, without request data. */
const unavailable = (keyId: string, error: unknown): Unavailable =>
  new Unavailable(
    'chain-unavailable',
    `KMS did not serve the key ${keyId}: ${error instanceof Error ? error.name : 'unknown error'}`,
  );
