import type { BlockList } from 'node:net';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { ApiKeyRecord } from '@ponte/contracts';
import { GetApiKey } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';
import { BoundedMap } from '../edge/bounded-map';
import type { Caller } from '../edge/request-context';
import { Services } from '../edge/services';
import { blockListOf } from '../authorization/ip-allowlist';
import type { VerifyingKey } from './signed-token';
import { verifyingKey } from './signed-token';

/** An API key with what is computed from it once. */
export interface KnownKey {
  readonly record: ApiKeyRecord;
  /** Hash of a bearer key's secret, undefined for a key that signs. */
  readonly secretHash: Buffer | undefined;
  /** The account that holds the key. */
  readonly caller: Caller;
  /** Undefined for a bearer key. */
  readonly publicKey: Promise<VerifyingKey> | undefined;
  /** Null: any address. */
  readonly allowed: BlockList | null;
}

/** How long a key may be used from memory; a revocation that is heard of drops it at once. */
const KEY_TTL_MS = 5_000;
/** A key that is not there is asked for again soon, since it may have just been made. */
const ABSENT_TTL_MS = 1_000;
const MAX_KEYS = 20_000;
const MAX_ABSENT = 2_000;

interface Entry {
  readonly key: KnownKey;
  readonly until: number;
}

/** The API keys in use, by id. */
@Injectable()
export class ApiKeyCache {
  private readonly entries = new BoundedMap<string, Entry>(MAX_KEYS);
  /** Apart from the others, so that invented ids push no key out; until when each counts as absent. */
  private readonly absent = new BoundedMap<string, number>(MAX_ABSENT);
  private readonly asked = new Map<string, Promise<KnownKey | null>>();
  private drops = 0;

  constructor(
    @Inject(Services) private readonly services: Pick<Services, 'lookUp'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  /** Null when there is no such key. */
  async find(keyId: string): Promise<KnownKey | null> {
    const entry = this.entries.get(keyId);
    if (entry && entry.until > this.systemClock.now()) return entry.key;
    if (!entry && (this.absent.get(keyId) ?? 0) > this.systemClock.now()) return null;
    return this.asked.get(keyId) ?? this.ask(keyId);
  }

  /** Whether this is what {@link find} gives, at once. */
  holds(key: KnownKey): boolean {
    const entry = this.entries.get(key.record.keyId);
    return entry?.key === key && entry.until > this.systemClock.now();
  }

  /** Forgets a key: it was revoked. An answer that is on its way is not kept either. */
  drop(keyId: string): void {
    this.drops += 1;
    this.entries.delete(keyId);
    this.asked.delete(keyId);
  }

  private ask(keyId: string): Promise<KnownKey | null> {
    const dropsBefore = this.drops;
    const asking = this.services
      .lookUp(GetApiKey, { keyId })
      .then((record) => {
        const key = record && known(record);
        const now = this.systemClock.now();
        if (!key) this.absent.set(keyId, now + ABSENT_TTL_MS);
        else if (this.drops === dropsBefore) this.entries.set(keyId, { key, until: now + KEY_TTL_MS });
        return key;
      })
      .finally(() => {
        if (this.asked.get(keyId) === asking) this.asked.delete(keyId);
      });
    this.asked.set(keyId, asking);
    return asking;
  }
}

function known(record: ApiKeyRecord): KnownKey {
  const { credential, ipAllowlist } = record;
  const publicKey = credential.kind === 'jwt' ? verifyingKey(credential.publicKey, credential.algorithm) : undefined;
  // Only callers that use this key see the failure.
  publicKey?.catch(() => undefined);
  return {
    record,
    secretHash: credential.kind === 'bearer' ? Buffer.from(credential.secretHash, 'hex') : undefined,
    caller: { keyId: record.keyId, accountId: record.accountId, access: record.access, rateLimits: record.rateLimits },
    publicKey,
    allowed: ipAllowlist.length === 0 ? null : blockListOf(ipAllowlist),
  };
}

/** Whether the address may use the key. IPv4 written as IPv6 is IPv4. */
export function allowsAddress(key: Pick<KnownKey, 'allowed'>, address: string): boolean {
  if (key.allowed === null) return true;
  const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
  const family = isIP(plain);
  return family !== 0 && key.allowed.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
