import type { AccountEventsPage, DeliveryFilters, LoggedEvent, WebhookDeliveryRecord } from '@ponte/contracts';
import { ChangeWebhookEndpoint, ListAccountEvents, ListWebhookDeliveries } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { CHILD } from './fixtures';
import { SendingUnderTest } from './sending-under-test';
import { context } from './webhooks-under-test';

export const ANY: DeliveryFilters = { state: null, eventType: null, resourceType: null, resourceId: null };
export const PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };

/** The service, a receiver, and the requests of an account about its deliveries and event log. */
export class DeliveriesUnderTest extends SendingUnderTest {
  now() {
    return isoTime(this.webhooks.engines.clock.now());
  }

  list(endpointId: string, filters: Partial<DeliveryFilters> = {}, page: Partial<typeof PAGE> = {}) {
    const payload = { accountId: CHILD, endpointId, filters: { ...ANY, ...filters }, page: { ...PAGE, ...page } };
    return this.webhooks.engines.bus.request(ListWebhookDeliveries, payload, context());
  }

  async listed(endpointId: string, filters: Partial<DeliveryFilters> = {}): Promise<readonly WebhookDeliveryRecord[]> {
    return (await this.list(endpointId, filters))?.items ?? [];
  }

  change(endpointId: string, changes: object) {
    return this.webhooks.engines.bus.request(
      ChangeWebhookEndpoint,
      {
        ...{ accountId: CHILD, endpointId, url: null, eventTypes: null, description: null },
        ...{ enabled: null, replayMissed: false, ...changes },
      },
      context(),
    );
  }

  events(accountId: string, after: number | 'end' | null, limit = 50): Promise<AccountEventsPage> {
    return this.webhooks.engines.bus.request(ListAccountEvents, { accountId, after, limit }, context());
  }

  async allEvents(accountId: string): Promise<LoggedEvent[]> {
    const all: LoggedEvent[] = [];
    for (let after: number | null = null; ;) {
      const page = await this.events(accountId, after, 7);
      if (page.expired) throw new Error('expired');
      all.push(...page.events);
      after = page.next;
      if (!page.more) return all;
    }
  }
}
