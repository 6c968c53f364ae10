import type { CaseItem, HistoryEntry, QueueItem } from '@ponte/contracts';
import { fromIso, toWire } from '@ponte/kernel';
import type { NameOf } from '../../staff/names.service';
import type { CaseItemDto, HistoryEntryDto, QueueItemDto, StaffRefDto } from './queue.dto';

const SECOND_MS = 1_000;

export const staffRef = (id: string, nameOf: NameOf): StaffRefDto => ({ id, name: nameOf(id) });

/** `nowMs`: business time. */
export function queueItemDto(item: QueueItem, nameOf: NameOf, nowMs: number): QueueItemDto {
  const since = (at: string) => Math.max(0, Math.floor((nowMs - fromIso(at)) / SECOND_MS));
  return {
    id: item.requestId,
    partner: { id: item.parentId, alias: item.parentAlias },
    ...toWire(item, 'accountId', 'mode', 'status', 'reviewStage', 'rewardTier', 'country'),
    causes: [...item.causes],
    ...toWire(item, 'fourEyes', 'approvals', 'escalated', 'externalId'),
    assignee: item.assignedTo === null ? null : staffRef(item.assignedTo, nameOf),
    ...toWire(item, 'createdAt', 'statusUpdatedAt', 'stageSince', 'informationDueAt'),
    'age-seconds': since(item.createdAt),
    'stage-age-seconds': since(item.stageSince),
  };
}

export const caseItemDto = (item: CaseItem, nameOf: NameOf, nowMs: number): CaseItemDto => ({
  ...queueItemDto(item, nameOf, nowMs),
  version: item.version,
});

/** The facts of history entries that are returned. */
export const FACTS: ReadonlySet<string> = new Set([
  ...['mode', 'rewardTier', 'fourEyes', 'attempt', 'round', 'person', 'hits'],
  ...['outcome', 'causes', 'staffId', 'decision', 'final', 'items', 'issues'],
  ...['dueAt', 'files', 'missing', 'approvedBy', 'reason', 'shownReason', 'step'],
  ...['code', 'retryAt', 'sharedWith', 'duplicates', 'stoppedAccounts', 'verdict'],
]);

/** Converts an event name for the wire: `ReviewClaimed` to `review-claimed`. */
export const wireType = (type: string): string => type.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

export const historyEntryDto = ({ type, at, actor, facts }: HistoryEntry, nameOf: NameOf): HistoryEntryDto => ({
  type: wireType(type),
  at,
  actor,
  'actor-name': actor === null ? null : nameOf(actor),
  facts: toWire(facts, ...Object.keys(facts).filter((name) => FACTS.has(name))),
});
