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

/** An API key with the values derived from its record once. */
export interface KnownKey {
  readonly record: ApiKeyRecord;
  /** The hash of a bearer key's secret; undefined for a key that signs. */
  readonly secretHash: Buffer | undefined;
  /** The account that holds the key. */
  readonly caller: Caller;
  /** Undefined for a bearer key. */
  readonly publicKey: Promise<VerifyingKey> | undefined;
  /** Null allows any address. */
  readonly allowed: BlockList | null;
}

/** How long a cached key may be used, in milliseconds. A revocation that this process learns of drops it at once. */
const KEY_TTL_MS = 5_000;
/** How long a key counts as absent, in milliseconds. It is short, because the key may have just been created. */
const ABSENT_TTL_MS = 1_000;
const MAX_KEYS = 20_000;
const MAX_ABSENT = 2_000;

interface Entry {
  readonly key: KnownKey;
  readonly until: number;
}

/** Caches the API keys in use, by id. */
@Injectable()
export class ApiKeyCache {
  private readonly entries = new BoundedMap<string, Entry>(MAX_KEYS);
  /** Until when each unknown id counts as absent. A separate map, so that invented ids do not evict real keys. */
  private readonly absent = new BoundedMap<string, number>(MAX_ABSENT);
  private readonly asked = new Map<string, Promise<KnownKey | null>>();
  private drops = 0;

  constructor(
    @Inject(Services) private readonly services: Pick<Services, 'lookUp'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  /** Null if the key does not exist. */
  async find(keyId: string): Promise<KnownKey | null> {
    const entry = this.entries.get(keyId);
    if (entry && entry.until > this.systemClock.now()) return entry.key;
    if (!entry && (this.absent.get(keyId) ?? 0) > this.systemClock.now()) return null;
    return this.asked.get(keyId) ?? this.ask(keyId);
  }

  /** Whether {@link find} would return exactly this key from memory. */
  holds(key: KnownKey): boolean {
    const entry = this.entries.get(key.record.keyId);
    return entry?.key === key && entry.until > this.systemClock.now();
  }

  /** Forgets a key that was revoked. A look-up in progress is not stored either. */
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
  // Only requests that use this key report the failure.
  publicKey?.catch(() => undefined);
  return {
    record,
    secretHash: credential.kind === 'bearer' ? Buffer.from(credential.secretHash, 'hex') : undefined,
    caller: { keyId: record.keyId, accountId: record.accountId, access: record.access, rateLimits: record.rateLimits },
    publicKey,
    allowed: ipAllowlist.length === 0 ? null : blockListOf(ipAllowlist),
  };
}

/** Whether the address may use the key. An IPv4-mapped IPv6 address counts as IPv4. */
export function allowsAddress(key: Pick<KnownKey, 'allowed'>, address: string): boolean {
  if (key.allowed === null) return true;
  const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
  const family = isIP(plain);
  return family !== 0 && key.allowed.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
