import { Inject, Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import { ListAddressMatches, ListWaitingAddressReviews, SearchAddressReviews } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';

const NEWEST = { limit: 1, cursor: null, createdFrom: null, createdTo: null } as const;

/** What the ledger has found about the addresses of an account. */
@Injectable()
export class AddressFindings {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  /**
   * When the newest review of an address was opened, or the newest true match decided; null if there is neither.
   * Rejects with `Unavailable` if the ledger does not answer.
   */
  async newest(accountId: string, context: RequestContext): Promise<Timestamp | null> {
    const filters = { accountId, verdict: null };
    const [{ items }, { matches }] = await Promise.all([
      this.bus.request(SearchAddressReviews, { filters, page: NEWEST }, context),
      this.bus.request(ListAddressMatches, { accountId }, context),
    ]);
    const times = [...items.map(({ heldAt }) => heldAt), ...matches.map(({ decidedAt }) => decidedAt)];
    return times.sort().at(-1) ?? null;
  }

  /** Whether a review of an address of the account waits for staff. Rejects as `newest` does. */
  async isReviewOpen(accountId: string, context: RequestContext): Promise<boolean> {
    const { reviewIds } = await this.bus.request(ListWaitingAddressReviews, { accountId }, context);
    return reviewIds.length > 0;
  }
}
