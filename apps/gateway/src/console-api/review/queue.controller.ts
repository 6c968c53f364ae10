import { Get, Inject, Req } from '@nestjs/common';
import { GetReviewHistory, ListReviewQueue } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { notFound } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { StaffNames } from '../../staff/names.service';
import { StaffOperation } from '../../staff/operation';
import { SAMPLE } from '../../api/samples';
import { pathRequest } from '../../api/path';
import { HISTORY_PAGE_EXAMPLE, HistoryDto, QUEUE_ITEM_EXAMPLE, QueueDto } from './queue.dto';
import { caseItemDto, historyEntryDto, queueItemDto, staffRef } from './queue.mapper';
import { queueFilters, QueueQuery } from './queue.query';

const NOTHING_OPEN = {
  received: 0,
  screening: 0,
  'manual-review': 0,
  'information-requested': 0,
  approved: 0,
  'provisioning-failed': 0,
};
const QUEUE_EXAMPLE: QueueDto = {
  'account-requests': [QUEUE_ITEM_EXAMPLE],
  counts: { ...NOTHING_OPEN, 'manual-review': 12 },
  'as-of': SAMPLE.later,
};

/** The queue of account requests. It has no personal data, so reading it does not count as a view. */
@Resource('staff/v1/account-requests', 'queue')
export class QueueController {
  constructor(
    private readonly services: Services,
    private readonly names: StaffNames,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @StaffOperation('staff-list-account-requests', {
    summary: 'List the queue of account requests, oldest first',
    query: QueueQuery,
    paged: true,
    answer: described(QueueDto, QUEUE_EXAMPLE),
  })
  @Get()
  async list(@Listed() list: ListRequest<QueueQuery>): Promise<QueueDto> {
    const { call, query } = list;
    const [page, now, { actor }] = [list.page(), this.clock.now(), signedIn(call)];
    const payload = {
      filters: queueFilters(query, page, actor.staffId, now),
      order: query.order ?? 'oldest',
      limit: page.limit,
      cursor: page.cursor,
    } as const;
    const { items, next, counts } = await this.services.request(ListReviewQueue, payload, call);
    const nameOf = await this.names.of(items.map(({ assignedTo }) => assignedTo));
    const shown = list.items({ items, next }).map((item) => queueItemDto(item, nameOf, now));
    return { 'account-requests': shown, counts: { ...NOTHING_OPEN, ...counts }, 'as-of': isoTime(now) };
  }

  @StaffOperation('staff-get-history', {
    summary: 'Show the history and status of a request, without personal data',
    answer: described(HistoryDto, HISTORY_PAGE_EXAMPLE),
    errors: ['account-request-not-found'],
  })
  @Get(':id/history')
  async history(@Req() { call, params }: AccountRequest): Promise<HistoryDto> {
    const found = await this.services.request(GetReviewHistory, { requestId: pathRequest(params) }, call);
    if (!found) throw notFound('account-request-not-found');
    const nameOf = await this.names.of([
      ...found.entries.map(({ actor }) => actor),
      found.item.assignedTo,
      ...found.approvals,
    ]);
    return {
      history: found.entries.map((entry) => historyEntryDto(entry, nameOf)),
      'account-request': caseItemDto(found.item, nameOf, this.clock.now()),
      checklist: found.checklist.map(({ check, title, outcome }) => ({ check, title, outcome })),
      approvals: found.approvals.map((id) => staffRef(id, nameOf)),
    };
  }
}
