import type * as contracts from '@ponte/contracts';
import { derivedId, isoTime } from '@ponte/kernel';
import { QueueItems } from './queue-items.service';
import { ListReviewQueueHandler, ListReviewQueueQuery } from './review-queue.query';
import type { Accounts } from '../account/accounts.service';
import type { QueueRequest } from './review-queue.read-model';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST } from '../testing/people';
import { BEGIN, PARTNERS, queueRow, requestsTable, reviewQueueIn, STAGES } from '../testing/queue-rows';
import { CountedQueries, ExplainedQueries } from '../testing/watched-queries';
import { NO_QUEUE_FILTERS } from '../testing/queue-filters';

/** Every filter leaves more of them than a page has, so a query without a limit would return more. */
const REQUESTS = 2_000;
const LIMIT = 50;
const SORTED = 'USE TEMP B-TREE FOR ORDER BY';

let onboarding: OnboardingUnderTest;
beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start();
  const table = requestsTable(onboarding);
  for (let at = 0; at < REQUESTS; at += 1) await table.put(queueRow(at));
});
afterAll(() => onboarding.stop());

const pageOf = (filters: Partial<contracts.QueueFilters>, more: Partial<QueueRequest> = {}): QueueRequest => ({
  filters: { ...NO_QUEUE_FILTERS, ...filters },
  order: 'oldest',
  limit: LIMIT,
  cursor: null,
  ...more,
});
const DEEP = { createdAt: isoTime(BEGIN + (REQUESTS / 2) * 1_000), id: '' };

/** Each page, with the columns of the index by which it is found, and whether the requests found are then sorted. */
const PAGES: [string, QueueRequest, string, boolean][] = [
  ['the first page', pageOf({}), '', false],
  ['the newest requests', pageOf({}, { order: 'newest', limit: 200 }), '', false],
  ['a page in the middle', pageOf({}, { cursor: DEEP }), '', false],
  ['one stage', pageOf({ stages: ['manual-review'] }), '_stage', false],
  ['two stages', pageOf({ stages: ['manual-review', 'information-requested'] }), '_stage', true],
  ['assigned to a person', pageOf({ assignedTo: ANALYST.staffId }), '_assigned_to', false],
  ['pending and not assigned', pageOf({ assignedTo: 'none', statuses: ['pending'] }), '_status', false],
  ['of one partner', pageOf({ parentId: derivedId('parent', '3') }), '_parent_id', false],
  ['escalated', pageOf({ escalated: true }), '', false],
  ['created before a time', pageOf({ createdBefore: isoTime(BEGIN + 1_500_000) }), '', false],
];

describe('a page of a long queue', () => {
  it.each(PAGES)('%s: an index finds its requests', async (_, request, index, sorted) => {
    const explained = new ExplainedQueries();
    await reviewQueueIn(explained.over(onboarding.engines.readModels)).page(request);
    const found = new RegExp(`^(SEARCH|SCAN) onboarding_account_requests USING INDEX \\w+_requests_by${index}( |$)`);
    expect(explained.steps).toEqual([expect.stringMatching(found), ...(sorted ? [SORTED] : [])]);
  });

  it.each(PAGES)('%s: two statements return no more than the page and the counts', async (_, request) => {
    const counted = new CountedQueries();
    const loaded: string[] = [];
    const accounts: Pick<Accounts, 'load'> = {
      load: async (id) => {
        loaded.push(id);
        return { status: 'absent' };
      },
    };
    const handler = new ListReviewQueueHandler(
      reviewQueueIn(counted.over(onboarding.engines.readModels)),
      new QueueItems(accounts as Accounts),
    );
    const page = await handler.execute(new ListReviewQueueQuery(request, onboarding.context()));
    expect(page.items).toHaveLength(request.limit);
    expect(page.counts).toEqual(Object.fromEntries(STAGES.map((stage) => [stage, REQUESTS / STAGES.length])));
    // One more row than the page has shows that there is a next one.
    expect(counted).toMatchObject({ statements: 2, rows: request.limit + 1 + STAGES.length });
    expect(loaded.length).toBeLessThanOrEqual(PARTNERS);
  });

  it('an index finds the open requests for the counts', async () => {
    const explained = new ExplainedQueries();
    await reviewQueueIn(explained.over(onboarding.engines.readModels)).counts();
    expect(explained.steps[0]).toMatch(/^SEARCH onboarding_account_requests USING INDEX \w+_by_status \(status=\?\)/);
  });
});
