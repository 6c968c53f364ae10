import type { AccountRequestStatus, QueueFilters, ReviewCause, ReviewStage, PageRequest } from '@ponte/contracts';
import { REVIEW_CAUSES } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import { oneOf, rule, text, uuid } from '../../validation/field-types';
import { Optional } from '../../validation/fields';
import { wordList, wordsOf } from '../query-words';
import { STAGES, STATUSES } from './queue.dto';

const HOUR_MS = 3_600_000;
const MAX_HOURS = 8_760;

const hours = {
  rules: [
    rule(
      'isHours',
      (value) => typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value) && Number(value) <= MAX_HOURS,
      'invalid-format',
      `must be a whole number from 1 to ${MAX_HOURS}`,
    ),
  ],
  schema: { type: 'integer', minimum: 1, maximum: MAX_HOURS },
};

export class QueueQuery extends PageQuery {
  @Optional(wordList(STATUSES), 'Only these values. Repeat the parameter, or separate the values with commas')
  status?: string | string[];

  @Optional(wordList(STAGES), 'Only these values. Repeat the parameter, or separate the values with commas')
  stage?: string | string[];

  @Optional(text(1, 100), 'Claimed by: a staff id, `me`, or `none`')
  assignee?: string;

  @Optional(uuid, 'Only requests of this partner')
  partner?: string;

  @Optional(
    wordList(REVIEW_CAUSES),
    'Only requests with any of these review causes. `screening-hit` selects those with hits',
  )
  cause?: string | string[];

  @Optional(oneOf(['true', 'false']), 'Escalated or not')
  escalated?: 'true' | 'false';

  @Optional(hours, 'Only requests that are at least this many hours old')
  'older-than-hours'?: string;

  @Optional(oneOf(['oldest', 'newest']), 'The order. Default: oldest first, so that the longest wait comes first')
  order?: 'oldest' | 'newest';
}

/** `nowMs`: business time, which is also the time base of account requests. */
export function queueFilters(
  query: QueueQuery,
  { createdFrom, createdTo }: PageRequest,
  staffId: string,
  nowMs: number,
): QueueFilters {
  const { assignee, escalated } = query;
  const old =
    query['older-than-hours'] === undefined ? null : isoTime(nowMs - Number(query['older-than-hours']) * HOUR_MS);
  return {
    statuses: wordsOf<AccountRequestStatus>(query.status),
    stages: wordsOf<ReviewStage>(query.stage),
    causes: wordsOf<ReviewCause>(query.cause),
    assignedTo: assignee === undefined ? null : assignee === 'me' ? staffId : assignee,
    parentId: query.partner ?? null,
    escalated: escalated === undefined ? null : escalated === 'true',
    createdBefore: [createdTo, old].filter((one) => one !== null).sort()[0] ?? null,
    createdAfter: createdFrom,
  };
}
