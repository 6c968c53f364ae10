import type { FastifyReply, FastifyRequest } from 'fastify';
import { Inject, Injectable } from '@nestjs/common';
import { ApiKeyCache } from '../authentication/api-key-cache';
import { namedKey } from '../authentication/credentials';
import type { Allowance } from './token-buckets';
import { TokenBuckets } from './token-buckets';

/** Puts the state of a key's bucket into a response. */
export function showAllowance(reply: FastifyReply, { limit, remaining, resetSeconds }: Allowance): void {
  reply
    .header('ratelimit-limit', limit)
    .header('ratelimit-remaining', remaining)
    .header('ratelimit-reset', resetSeconds);
}

/**
 * The allowance of the key that a request names, for responses that were made before its credentials had been checked
 * or without such a check. Nothing is taken from the bucket: the request may be anybody's.
 */
@Injectable()
export class NamedAllowance {
  constructor(
    @Inject(ApiKeyCache) private readonly keys: Pick<ApiKeyCache, 'find'>,
    @Inject(TokenBuckets) private readonly buckets: Pick<TokenBuckets, 'peek'>,
  ) {}

  /** Never fails: a key that cannot be looked up now is not known. */
  async show(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const keyId = namedKey(request.headers);
    if (keyId === undefined || reply.hasHeader('ratelimit-limit')) return;
    try {
      const key = await this.keys.find(keyId);
      if (key) showAllowance(reply, await this.buckets.peek(keyId, !READS.has(request.method), key.record.rateLimits));
    } catch {
      // The response matters more than these headers.
    }
  }

  /** Whether a request names a key at all; most that are not of a partner do not. */
  concerns(request: FastifyRequest, reply: FastifyReply): boolean {
    return !reply.hasHeader('ratelimit-limit') && namedKey(request.headers) !== undefined;
  }
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
