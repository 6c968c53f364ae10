import * as contracts from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { AccountRequestRow } from '../account-request/account-requests.read-model';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, cpfOf, openParent, post, requestFor } from '../testing/people';
import { BEGIN, queueRow, requestsTable, reviewQueueIn } from '../testing/queue-rows';
import { NO_QUEUE_FILTERS } from '../testing/queue-filters';

let onboarding: OnboardingUnderTest;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start();
});
afterEach(() => onboarding.stop());

const list = (
  filters: Partial<contracts.QueueFilters> = {},
  more: Partial<{ order: 'oldest' | 'newest'; limit: number; cursor: contracts.PageCursor | null }> = {},
) =>
  onboarding.ask(contracts.ListReviewQueue, {
    filters: { ...NO_QUEUE_FILTERS, ...filters },
    order: 'oldest',
    limit: 50,
    cursor: null,
    ...more,
  });

it('paging returns every request once, oldest or newest first, with any filter', async () => {
  const table = requestsTable(onboarding);
  // Some have the same time, so that the id decides the order.
  const rows = Array.from({ length: 60 }, (_, at) =>
    queueRow(at, { created_at: isoTime(BEGIN + Math.floor(at / 3) * 1_000) }),
  );
  for (const one of rows) await table.put(one);
  const expected = (keep: (one: AccountRequestRow) => boolean) =>
    rows
      .filter(keep)
      .sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1))
      .map(({ id }) => id);
  const all = async (filters: Partial<contracts.QueueFilters>, order: 'oldest' | 'newest') => {
    const seen: string[] = [];
    for (let cursor: contracts.PageCursor | null = null; ;) {
      const { items, next }: contracts.QueuePage = await list(filters, { order, limit: 7, cursor });
      seen.push(...items.map(({ requestId }) => requestId));
      if (!next) return seen;
      cursor = next;
    }
  };
  expect(await all({}, 'oldest')).toEqual(expected(() => true));
  expect(await all({}, 'newest')).toEqual(expected(() => true).reverse());
  expect(await all({ stages: ['screening'], escalated: false }, 'oldest')).toEqual(
    expected(({ stage, escalated }) => stage === 'screening' && !escalated),
  );
  expect(await all({ assignedTo: ANALYST.staffId }, 'newest')).toEqual(
    expected(({ assigned_to: to }) => to === ANALYST.staffId).reverse(),
  );
  expect(
    await all(
      { createdAfter: rows[30]?.created_at as string, createdBefore: rows[40]?.created_at as string },
      'oldest',
    ),
  ).toEqual(
    expected(({ created_at: at }) => at >= (rows[30]?.created_at as string) && at <= (rows[40]?.created_at as string)),
  );
  await expect(list({}, { limit: 0 })).rejects.toMatchObject({ code: 'invalid-limit' });
});

it('the queue shows a request as soon as its command has returned, and is filled again from the log after a loss', async () => {
  const parentId = await openParent(onboarding);
  const {
    request: { requestId },
  } = await post(onboarding, parentId, await requestFor(onboarding, parentId, cpfOf(444_000_111), { rewardTier: 97 }));
  expect((await list()).items.map((one) => one.requestId)).toEqual([requestId]);
  await eventually(async () =>
    expect((await list({ stages: ['manual-review'] })).items[0]).toMatchObject({
      requestId,
      parentAlias: 'Partner kyc',
      rewardTier: 97,
      fourEyes: true,
      causes: ['four-eyes'],
    }),
  );
  // The queue has everything but the version of the case.
  const { version, ...claimed } = await onboarding.ask(contracts.ClaimReview, {
    requestId,
    staff: ANALYST,
    takeOver: false,
  });
  expect((await list({ assignedTo: ANALYST.staffId })).items).toEqual([claimed]);
  const history = await onboarding.ask(contracts.GetReviewHistory, { requestId });
  expect(history?.item.version).toBe(version);
  expect(history?.entries.map(({ type }) => type)).toEqual([
    'AccountRequested',
    'ScreeningStarted',
    expect.any(String),
    expect.any(String),
    'ReviewRequested',
    'ReviewClaimed',
  ]);
  expect(JSON.stringify(history)).not.toMatch(/sealed:|subject/);
  expect(
    (
      await onboarding.ask(contracts.ListAccountRequests, {
        parentId,
        status: 'pending',
        externalId: null,
        page: { limit: 10, cursor: null, createdFrom: null, createdTo: null },
      })
    ).items.map((one) => one.requestId),
  ).toEqual([requestId]);
  const table = requestsTable(onboarding);
  await table.clear();
  expect(await reviewQueueIn(onboarding.engines.readModels).counts()).toEqual({});
  await onboarding.ask(contracts.ReleaseReview, { requestId, staff: ANALYST });
  expect((await list()).items).toMatchObject([{ requestId, assignedTo: null }]);
});
