import type { CaseItem, HistoryEntry, QueueItem } from '@ponte/contracts';
import { fromIso } from '@ponte/kernel';
import type { NameOf } from '../../staff/names.service';
import type { CaseItemDto, HistoryEntryDto, QueueItemDto, StaffRefDto } from './queue.dto';

const SECOND_MS = 1_000;

export const staffRef = (id: string, nameOf: NameOf): StaffRefDto => ({ id, name: nameOf(id) });

/** `nowMs`: business time. */
export function queueItemDto(item: QueueItem, nameOf: NameOf, nowMs: number): QueueItemDto {
  const since = (at: string) => Math.max(0, Math.floor((nowMs - fromIso(at)) / SECOND_MS));
  return {
    id: item.requestId,
    'account-id': item.accountId,
    partner: { id: item.parentId, alias: item.parentAlias },
    mode: item.mode,
    status: item.status,
    'review-stage': item.reviewStage,
    'reward-tier': item.rewardTier,
    country: item.country,
    causes: [...item.causes],
    'four-eyes': item.fourEyes,
    approvals: item.approvals,
    escalated: item.escalated,
    assignee: item.assignedTo === null ? null : staffRef(item.assignedTo, nameOf),
    'external-id': item.externalId,
    'created-at': item.createdAt,
    'status-updated-at': item.statusUpdatedAt,
    'stage-since': item.stageSince,
    'age-seconds': since(item.createdAt),
    'stage-age-seconds': since(item.stageSince),
    'information-due-at': item.informationDueAt,
  };
}

export const caseItemDto = (item: CaseItem, nameOf: NameOf, nowMs: number): CaseItemDto => ({
  ...queueItemDto(item, nameOf, nowMs),
  version: item.version,
});

/** Names on the wire of the facts of history entries. Facts that are not listed are not returned. */
export const FACTS: Readonly<Record<string, string>> = {
  mode: 'mode',
  rewardTier: 'reward-tier',
  fourEyes: 'four-eyes',
  attempt: 'attempt',
  round: 'round',
  person: 'person',
  hits: 'hits',
  outcome: 'outcome',
  causes: 'causes',
  staffId: 'staff-id',
  decision: 'decision',
  final: 'final',
  items: 'items',
  issues: 'issues',
  dueAt: 'due-at',
  files: 'files',
  missing: 'missing',
  approvedBy: 'approved-by',
  reason: 'reason',
  shownReason: 'shown-reason',
  step: 'step',
  code: 'code',
  retryAt: 'retry-at',
  sharedWith: 'shared-with',
  duplicates: 'duplicates',
  stoppedAccounts: 'stopped-accounts',
  verdict: 'verdict',
};

/** Converts an event name for the wire: `ReviewClaimed` to `review-claimed`. */
export const wireType = (type: string): string => type.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

export const historyEntryDto = ({ type, at, actor, facts }: HistoryEntry, nameOf: NameOf): HistoryEntryDto => ({
  type: wireType(type),
  at,
  actor,
  'actor-name': actor === null ? null : nameOf(actor),
  facts: Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => {
      const wire = FACTS[name];
      return wire === undefined ? [] : [[wire, value]];
    }),
  ),
});
