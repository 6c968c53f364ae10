import { createHash } from 'node:crypto';
import type { KMSClient, KMSClientConfig } from '@aws-sdk/client-kms';
import { SealBroken } from '@ponte/event-sourcing';
import { lruCache, Unavailable } from '@ponte/kernel';
import type { MasterKey } from './personal-data';

/** The ARN of a key. An alias is not accepted, because it may name another key later. */
const KEY_ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[A-Za-z0-9-]+$/;
/** Attempts per call, including the first. The SDK waits between them with jitter. */
const ATTEMPTS = 3;
const TIMEOUTS = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true } as const;
/** KMS did not encrypt the value, or encrypted it with another key or for another subject. */
const NOT_OURS: ReadonlySet<string> = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/** Unwrapped keys are kept for a while, because the rows of keys are read again every few seconds. */
const KEPT = { keys: 10_000, ms: 10 * 60_000 } as const;

/**
 * A symmetric key in AWS KMS, which never leaves it. Wrapping and unwrapping are calls to KMS; the subject is the
 * encryption context, so a value of one subject cannot be used for another. What was unwrapped stays in memory for ten
 * minutes; a caller has to present the wrapped value to get it. Calls reject with `Unavailable` while KMS
 * cannot be reached, throttles, or denies access. Throws an Error if the ARN is malformed.
 *
 * @param client for tests; otherwise the SDK determines the credentials
 */
export function kmsMasterKey(keyArn: string, client: KMSClientConfig = {}): MasterKey {
  const [, region] = KEY_ARN.exec(keyArn) ?? [];
  if (region === undefined)
    throw new Error('the master key in KMS must be named by its key ARN (arn:aws:kms:<region>:<account>:key/<id>)');
  let opened: Promise<Kms> | undefined;
  const ask = async <T>(call: (kms: Kms) => Promise<T>): Promise<T> => {
    // Loaded with the first call, because most installations have the key in a file.
    opened ??= openKms({ maxAttempts: ATTEMPTS, requestHandler: TIMEOUTS, region, ...client });
    const kms = await opened;
    try {
      return await call(kms);
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown error';
      if (NOT_OURS.has(name)) throw new SealBroken();
      throw new Unavailable('service-unavailable', `KMS did not serve the master key: ${name}`);
    }
  };
  const known = lruCache<string, Buffer>(KEPT.keys, { ttl: KEPT.ms });
  const nameOf = (wrapped: Buffer, subject: string): string => `${subject} ${wrapped.toString('base64')}`;
  const request = (subject: string) => ({ KeyId: keyArn, EncryptionContext: { subject } });
  return {
    fingerprint: createHash('sha256').update(`ponte master key ${keyArn}`).digest('hex').slice(0, 32),
    wrap: (key, subject) =>
      ask(async ({ client: kms, EncryptCommand }) => {
        const { CiphertextBlob } = await kms.send(new EncryptCommand({ ...request(subject), Plaintext: key }));
        const wrapped = bytesOf(CiphertextBlob);
        known.set(nameOf(wrapped, subject), key);
        return wrapped;
      }),
    unwrap: async (wrapped, subject) => {
      const found = known.get(nameOf(wrapped, subject));
      if (found) return found;
      return ask(async ({ client: kms, DecryptCommand }) => {
        const { Plaintext } = await kms.send(new DecryptCommand({ ...request(subject), CiphertextBlob: wrapped }));
        const key = bytesOf(Plaintext);
        known.set(nameOf(wrapped, subject), key);
        return key;
      });
    },
  };
}

type Kms = Pick<typeof import('@aws-sdk/client-kms'), 'EncryptCommand' | 'DecryptCommand'> & {
  readonly client: KMSClient;
};

async function openKms(config: KMSClientConfig): Promise<Kms> {
  const { KMSClient: Client, EncryptCommand, DecryptCommand } = await import('@aws-sdk/client-kms');
  return { client: new Client(config), EncryptCommand, DecryptCommand };
}

function bytesOf(value: Uint8Array | undefined): Buffer {
  if (!value) throw new Error('KMS returned nothing');
  return Buffer.from(value);
}
