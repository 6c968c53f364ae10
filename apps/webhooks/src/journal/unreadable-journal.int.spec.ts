import 'reflect-metadata';
import type { Kysely } from 'kysely';
import { isoTime } from '@ponte/kernel';
import { temporaryFolder } from '@ponte/testing';
import { insertAll, journaled } from '../testing/journal-under-test';
import type { WebhooksSchema } from '../testing/webhooks-schema';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';

describe('a delivery whose events cannot be read', () => {
  it('does not keep the service from starting', async () => {
    const folder = temporaryFolder();
    let webhooks = await WebhooksUnderTest.start(folder.path);
    try {
      const unknown = { ...journaled('unknown', 0, isoTime(Date.now())), type: 'OfALaterRelease' };
      await insertAll(webhooks.engines.readModels as Kysely<WebhooksSchema>, 'webhook_delivery_journal', [unknown]);
      await webhooks.stop();
      webhooks = await WebhooksUnderTest.start(folder.path);
      expect(await webhooks.deliveries()).toEqual([]);
    } finally {
      await webhooks.stop();
      folder.remove();
    }
  });
});
