import 'reflect-metadata';
import type { EventToAppend } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { anEvent, eventually, temporaryFolder } from '@ponte/testing';
import { CHILD, order, PARTNER } from '../testing/fixtures';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';
import { OUTBOX_READER } from './reader-progress.service';

const PATIENCE_MS = 20_000;

const [CHANGED, OTHER] = ['changed', 'other'].map((name) => derivedId('order', name)) as [string, string];
const STREAM = `order-${CHANGED}`;

const REASON = 'UnknownEvent: event OrderRepriced version 1 is not known';

/** An event that only a later build of orders appends and only a later build of webhooks knows. */
const unknown = (): EventToAppend[] => anEvent().map((event) => ({ ...event, type: 'OrderRepriced' }));

describe('an event of a type that this build does not know, in a stream that is published', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let webhooks: WebhooksUnderTest;
  beforeEach(async () => {
    folder = temporaryFolder();
    webhooks = await WebhooksUnderTest.start(folder.path);
  });
  afterEach(async () => {
    await webhooks.stop();
    folder.remove();
  });

  const published = async (accountId: string, resourceId: string): Promise<number[]> =>
    (await webhooks.outbox(accountId)).flatMap(({ envelope }) =>
      envelope.resourceId === resourceId ? [envelope.sequence] : [],
    );
  const parked = async (): Promise<unknown[]> =>
    (await webhooks.engines.parkedEvents.list(OUTBOX_READER)).map(({ key, event, reason }) => [
      key,
      event.revision,
      reason,
    ]);

  it('is parked with the later ones of its stream for a build that knows it, while all others are published', async () => {
    const [placed, started, completed] = order(CHANGED);
    await webhooks.append(STREAM, NO_STREAM, placed);
    await webhooks.engines.store.append(STREAM, 0, unknown());
    await webhooks.append(STREAM, 1, started, completed);
    await webhooks.append(`order-${OTHER}`, NO_STREAM, ...order(OTHER));
    for (const accountId of [CHILD, PARTNER])
      await eventually(async () => expect(await published(accountId, OTHER)).toEqual([1, 2, 3]), PATIENCE_MS);
    await eventually(
      async () =>
        expect(await parked()).toEqual([
          [STREAM, 1, REASON],
          [STREAM, 2, expect.stringContaining('waits behind')],
          [STREAM, 3, expect.stringContaining('waits behind')],
        ]),
      PATIENCE_MS,
    );
    const { duties } = webhooks.engines;
    const release = duties
      .get('parked release')
      ?.carryOut({ group: OUTBOX_READER, key: STREAM }, new AbortController().signal);
    await expect(release).rejects.toThrow(`0 published; then one failed again (${REASON})`);
    expect([await published(CHILD, CHANGED), (await parked()).length]).toEqual([[1], 3]);
  });

  it('is not left out of the history of the later ones, if it was published by a later build before', async () => {
    const [placed, started] = order(CHANGED);
    await webhooks.append(STREAM, NO_STREAM, placed);
    await webhooks.engines.store.append(STREAM, 0, unknown());
    await eventually(async () => expect(await parked()).toEqual([[STREAM, 1, REASON]]), PATIENCE_MS);
    for (const { id } of await webhooks.engines.store.read(STREAM, { from: 1 }))
      await webhooks.engines.parkedEvents.remove(OUTBOX_READER, id);
    await webhooks.crash();
    webhooks = await WebhooksUnderTest.start(folder.path);
    await webhooks.append(STREAM, 1, started);
    await webhooks.append(`order-${OTHER}`, NO_STREAM, ...order(OTHER));
    await eventually(async () => expect(await published(CHILD, OTHER)).toEqual([1, 2, 3]), PATIENCE_MS);
    const later = [STREAM, 2, expect.stringMatching(/UnknownEvent|waits behind/)];
    await eventually(async () => expect((await parked()).at(-1)).toEqual(later), PATIENCE_MS);
    expect(await published(CHILD, CHANGED)).toEqual([1]);
  });
});
