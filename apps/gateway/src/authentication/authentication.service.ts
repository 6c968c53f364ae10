import { hash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '@ponte/kernel';
import { lruCache } from '@ponte/kernel';
import type { EdgeState } from '@ponte/event-sourcing';
import type { Runtime } from '@ponte/nest';
import { EDGE_STATE, RUNTIME, SYSTEM_CLOCK } from '@ponte/nest';
import { GetApiKey } from '@ponte/contracts';
import type { Call, Caller, PendingProof } from '../edge/request-context.service';
import { ApiError } from '../errors/api-error';
import { checkClaims, NO_BODY_HASH, UNREAD_BODY, WRONG_SIGNATURE } from './claims';
import { readCredentials, known } from './credentials';
import type { Credentials, KnownKey } from './credentials';
import { allowsAddress } from '../authorization/ip-allowlist';
import { verifiedClaims } from './signed-token';
import { Services } from '../edge/request-context.service';

/** How long a cached key may be used, in milliseconds. A revocation that this process learns of drops it at once. */
const KEY_TTL_MS = 5_000;
/** How long a key counts as absent, in milliseconds. It is short, because the key may have just been created. */
const ABSENT_TTL_MS = 1_000;
const MAX_KEYS = 20_000;
const MAX_ABSENT = 2_000;
/**
 * The look-ups at once of ids that are not known here. Anyone can invent ids, and a known key must not have to wait
 * behind them when it is looked up again.
 */
const MAX_UNKNOWN = 256;

interface Entry {
  readonly key: KnownKey;
  readonly until: number;
}

/** Caches the API keys in use, by id. */
@Injectable()
export class ApiKeyCache {
  private readonly entries = lruCache<string, Entry>(MAX_KEYS);
  /** Until when each unknown id counts as absent. A separate cache, so that invented ids do not evict real keys. */
  private readonly absent = lruCache<string, number>(MAX_ABSENT);
  private readonly lookups = new Map<string, Promise<KnownKey | null>>();
  private drops = 0;
  private unknown = 0;

  constructor(
    @Inject(Services) private readonly services: Pick<Services, 'lookUp'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  /** Null if the key does not exist. Throws `service-unavailable` while too many unknown ids are looked up. */
  async find(keyId: string): Promise<KnownKey | null> {
    const entry = this.entries.get(keyId);
    if (entry && entry.until > this.systemClock.now()) return entry.key;
    if (!entry && (this.absent.get(keyId) ?? 0) > this.systemClock.now()) return null;
    return this.lookups.get(keyId) ?? (entry ? this.ask(keyId) : this.lookUpUnknown(keyId));
  }

  /** Whether the key was found before and is still remembered, even if it has to be looked up again. */
  knows(keyId: string): boolean {
    return this.entries.has(keyId);
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
    this.lookups.delete(keyId);
  }

  private async lookUpUnknown(keyId: string): Promise<KnownKey | null> {
    if (this.unknown >= MAX_UNKNOWN) throw new ApiError('service-unavailable');
    this.unknown += 1;
    try {
      return await this.ask(keyId);
    } finally {
      this.unknown -= 1;
    }
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
        if (this.lookups.get(keyId) === asking) this.lookups.delete(keyId);
      });
    this.lookups.set(keyId, asking);
    return asking;
  }
}

/** A token is valid for at most 55 s including clock skew, so its nonce need not be remembered for longer than this. */
const NONCE_MEMORY_MS = 120_000;
const EMPTY_BODY_HASH = hash('sha256', '', 'hex');
/** How many Authorization headers with a bearer key are remembered, and their largest length. */
const MAX_PROVED = 20_000;
const MAX_PROVED_LENGTH = 128;

/** Authenticates the caller of a request. */
@Injectable()
export class Authentication {
  /** Bearer keys exist only in the sandbox. */
  private readonly bearerKeys: boolean;
  /**
   * Keys by the Authorization header that was verified for them. The runtime hashes the keys of a map with a random
   * seed, so the timing of a look-up reveals nothing about similar secrets. Parsing the header and hashing the secret
   * for each request would take a tenth of the gateway's CPU time.
   */
  private readonly proved = lruCache<string, KnownKey>(MAX_PROVED);

  constructor(
    private readonly keys: ApiKeyCache,
    @Inject(EDGE_STATE) private readonly edgeState: EdgeState,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(RUNTIME) { environment }: Pick<Runtime, 'environment'>,
  ) {
    this.bearerKeys = environment === 'sandbox';
  }

  /** The caller of a bearer key that was checked before and is still in memory: nothing is looked up or compared. */
  remembered(request: FastifyRequest): Caller | undefined {
    const { authorization, 'x-api-key': signed } = request.headers;
    const proved = authorization === undefined || signed !== undefined ? undefined : this.proved.get(authorization);
    return proved && this.keys.holds(proved) ? this.admitted(proved, request) : undefined;
  }

  /** Identifies the caller. What a token claims about the body is checked later by {@link prove}. */
  async identify(request: FastifyRequest, call: Call): Promise<Caller> {
    const { headers } = request;
    const credentials = readCredentials(headers);
    if (credentials.kind === 'bearer' && !this.bearerKeys) throw new ApiError('unknown-api-key');
    const key = await this.keys.find(credentials.keyId);
    if (!key) throw new ApiError('unknown-api-key');
    call.proof =
      credentials.kind === 'bearer'
        ? this.checkSecret(credentials.secret, key, headers.authorization ?? '')
        : await this.checkToken(credentials, key, request);
    return this.admitted(key, request);
  }

  /** Checks what needs the body: its hash, then the nonce, which only an otherwise valid request uses up. */
  prove(call: Call, { bodyHash, nonce }: PendingProof, keyId: string, hasBody: boolean): Promise<void> {
    const body = call.rawBody;
    if (hasBody && bodyHash === undefined) throw new ApiError('body-hash-mismatch', { message: NO_BODY_HASH });
    // A body that was not read is not used and cannot be hashed, so a token must not vouch for it.
    if (hasBody && body === null) throw new ApiError('body-hash-mismatch', { message: UNREAD_BODY });
    const expected = body && body.length > 0 ? hash('sha256', body, 'hex') : EMPTY_BODY_HASH;
    if (bodyHash !== undefined && bodyHash !== expected) throw new ApiError('body-hash-mismatch');
    return this.edgeState.rememberNonce(keyId, nonce, this.systemClock.now() + NONCE_MEMORY_MS).then((fresh) => {
      if (!fresh) throw new ApiError('nonce-reused');
    });
  }

  private admitted(key: KnownKey, request: FastifyRequest): Caller {
    if (key.allowed && !allowsAddress(key, request.ip)) throw new ApiError('ip-not-allowed');
    return key.caller;
  }

  private checkSecret(secret: string, key: KnownKey, header: string): null {
    const sent = hash('sha256', secret, 'buffer');
    if (key.secretHash?.length !== sent.length || !timingSafeEqual(sent, key.secretHash))
      throw new ApiError('unknown-api-key');
    if (key.record.revoked) throw new ApiError('revoked-api-key');
    if (header.length <= MAX_PROVED_LENGTH) this.proved.set(header, key);
    return null;
  }

  private async checkToken(
    { token, keyId }: Credentials & { kind: 'signed' },
    key: KnownKey,
    request: FastifyRequest,
  ): Promise<PendingProof> {
    if (key.record.revoked) throw new ApiError('revoked-api-key');
    const claims = key.publicKey && (await verifiedClaims(token, await key.publicKey));
    if (!claims) throw new ApiError('invalid-signature', { message: WRONG_SIGNATURE });
    const result = checkClaims(claims, {
      keyId,
      uri: request.originalUrl,
      method: request.method,
      now: this.systemClock.now() / 1000,
    });
    if (!result.ok) throw new ApiError(result.code, result);
    return { nonce: result.nonce, bodyHash: result.bodyHash };
  }
}
