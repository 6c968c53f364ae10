import { DeleteWebhookEndpoint, ListWebhookEndpoints } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { OUTBOX_READER } from '../outbox/reader-progress.service';
import { CHILD, order, PARTNER } from './fixtures';
import { Receiver } from './receiver';
import { context, WebhooksUnderTest } from './webhooks-under-test';

export const HOUR = 3_600_000;

/** Ids of `count` orders, always the same for the same prefix. */
export const orderIds = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => derivedId('order', prefix, String(at)));

/**
 * The service and a receiver of its webhooks, shared by the tests of a suite. Endpoints are deleted after each test.
 * Business time goes on after a test that stopped it.
 */
export class SendingUnderTest {
  receiver!: Receiver;
  webhooks!: WebhooksUnderTest;
  private readonly folder = temporaryFolder();

  constructor() {
    beforeAll(async () => {
      this.receiver = await Receiver.listen();
      this.webhooks = await WebhooksUnderTest.start(this.folder.path);
    });
    afterEach(async () => {
      WebhooksUnderTest.goOn();
      await this.deleteEndpoints();
      this.receiver.behaviours.clear();
      this.receiver.heard.length = 0;
    });
    afterAll(async () => {
      expect(this.receiver.faults).toEqual([]);
      await this.webhooks.stop();
      await this.receiver.close();
      this.folder.remove();
    });
  }

  /** Restarts the service with the same data after it was stopped or has crashed. */
  async restart(): Promise<void> {
    this.webhooks = await WebhooksUnderTest.start(this.folder.path);
  }

  async place(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.webhooks.append(`order-${id}`, NO_STREAM, ...order(id))));
  }

  /** The sequence numbers of the webhooks about a resource that were delivered to a path. */
  sequences(path: string, id: string): unknown[] {
    return this.receiver
      .delivered(path)
      .filter(({ body }) => body['resource-id'] === id)
      .map(({ body }) => body['sequence']);
  }

  /** Resolves when the outbox projector has read the whole log, for which deliveries do not wait. */
  async published(): Promise<void> {
    const { store, checkpoints } = this.webhooks.engines;
    const head = (await store.head()) ?? '';
    await eventually(async () =>
      expect(store.comparePositions((await checkpoints.load(OUTBOX_READER)) ?? '0', head)).toBeGreaterThanOrEqual(0),
    );
  }

  private async deleteEndpoints(): Promise<void> {
    const { bus } = this.webhooks.engines;
    const page = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
    for (const accountId of [CHILD, PARTNER]) {
      const { items } = await bus.request(ListWebhookEndpoints, { accountId, page }, context());
      for (const { id: endpointId } of items)
        await bus.request(DeleteWebhookEndpoint, { accountId, endpointId }, context());
    }
  }
}
