import type { DomainEvent } from '@ponte/event-sourcing';
import { streamName } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { CloudEvent } from '../cloud-events';
import type { ReviewNotice } from '../onboarding';
import {
  ReviewClaimed,
  ReviewDecided,
  ReviewEscalated,
  ReviewReleased,
  ReviewRequested,
  reviewNotice,
} from '../onboarding';

const AT = '2026-03-02T12:00:00.000Z';
const requestId = derivedId('example', 'account-request');
const about = { requestId, accountId: derivedId('example', 'account'), parentId: derivedId('example', 'partner') };
const analyst = derivedId('example', 'analyst');
const approver = derivedId('example', 'approver');

/** One example of each notice, created by the production code. */
export function noticeExamples(): CloudEvent<ReviewNotice>[] {
  const facts: DomainEvent[] = [
    new ReviewRequested({
      ...about,
      causes: ['screening-hit', 'four-eyes'],
      fourEyes: true,
      rewardTier: 97,
      requestedAt: AT,
    }),
    new ReviewClaimed({ ...about, staffId: analyst, claimedAt: AT }),
    new ReviewReleased({ ...about, staffId: analyst, releasedAt: AT }),
    new ReviewEscalated({ ...about, staffId: analyst, note: null, escalatedAt: AT }),
    new ReviewDecided({ ...about, decision: 'approve', final: false, staffId: approver, note: null, decidedAt: AT }),
  ];
  return facts.flatMap(({ type, data }, revision) => {
    const commandId = derivedId('example', type);
    const meta = { commandId, index: 0, count: 1, occurredAt: AT, correlationId: commandId };
    return (
      reviewNotice({
        id: derivedId('example', 'event', type),
        stream: streamName('accountRequest', requestId),
        revision,
        position: '',
        type,
        version: 1,
        data,
        meta,
      })?.event ?? []
    );
  });
}
