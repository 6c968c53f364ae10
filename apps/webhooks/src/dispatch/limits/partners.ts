import { Inject, Injectable } from '@nestjs/common';
import { GetAccountParent } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, lruCache } from '@ponte/kernel';
import { MESSAGE_BUS, SYSTEM_CLOCK } from '@ponte/nest';

/** The number of accounts whose partner is kept in memory. The parent of an account never changes. */
const REMEMBERED = 100_000;
const DEADLINE_MS = 5_000;
/** How long a failed look-up is not repeated. */
const AGAIN_MS = 10_000;
/**
 * All accounts whose partner is not known yet count as one partner, so that no partner gets more than that besides its
 * own share.
 */
const UNKNOWN = 'unknown';

/** Tells which partner an account belongs to. */
@Injectable()
export class Partners {
  private readonly known = lruCache<string, string>(REMEMBERED);
  private readonly asked = lruCache<string, true>(REMEMBERED, { ttl: AGAIN_MS });

  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: Pick<MessageBus, 'request'>,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
  ) {}

  /** The parent of the account, or the account itself if it has none. Does not wait: the first answer is `unknown`. */
  of(accountId: string): string {
    const partner = this.known.get(accountId);
    if (partner !== undefined) return partner;
    if (!this.asked.has(accountId)) {
      this.asked.set(accountId, true);
      // A failed look-up is repeated when the account is asked for again.
      this.lookUp(accountId).catch(() => undefined);
    }
    return UNKNOWN;
  }

  private async lookUp(accountId: string): Promise<void> {
    const now = this.clock.now();
    const id = derivedId('webhook-partner', accountId, String(now));
    const context = { commandId: id, correlationId: id, actor: 'webhook-dispatcher', deadline: now + DEADLINE_MS };
    const found = await this.bus.request(GetAccountParent, { accountId }, context);
    this.known.set(accountId, found?.parentId ?? accountId);
  }
}
