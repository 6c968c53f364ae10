import type { DeliveryEvent } from '@ponte/contracts';
import { DeliveredAtOnce, DeliveryReplayed } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import type { Delivery } from './delivery.state';
import { attemptOf, hasEnded, isLive } from './delivery.state';
import {
  LATER,
  NOW,
  envelope,
  fail,
  failedAttempt,
  given,
  ids,
  known,
  scheduled,
  started,
  succeeded,
} from './delivery.testing';
import { DELAYS_SECONDS } from './retry-schedule.domain';

const AT = '2026-03-03T12:00:00.000Z';
const replay = { kind: 'replay', after: 'before', now: AT } as const;
const replayed = new DeliveryReplayed({ ...ids, after: 'before', replayedAt: AT });
const failed: DeliveryEvent[] = [scheduled, started(1), failedAttempt(1, LATER), started(2), failedAttempt(2, null)];
const atOnce = new DeliveredAtOnce({
  ...ids,
  ...{ eventId: envelope.eventId, eventType: envelope.eventType, resourceType: 'order', resourceId: 'o' },
  ...{ correlationId: 'c', scheduledAt: NOW, succeededAt: LATER, sourcePosition: '7', httpStatus: 200 },
});

describe('a failed delivery', () => {
  it('is sent again only after a replay, which restarts its schedule and its wait', () => {
    for (const late of [
      fail(2),
      { kind: 'start', now: AT },
      { kind: 'succeed', attempt: 2, httpStatus: 200, now: AT },
      { kind: 'abandon', reason: 'endpoint-deleted', now: AT },
    ] as const)
      given(...failed)
        .when(late)
        .then();
    given(...failed)
      .when(replay)
      .then(replayed);
    expect(given(...failed, replayed).state()).toEqual({
      ...{ status: 'pending', ...known, eventId: 'event', eventType: 'order-created' },
      ...{ resource: { type: 'order', id: 'o' }, replayOf: null },
      ...{ after: 'before', dueAt: AT, waitsSince: AT, updatedAt: AT, scheduledAt: NOW },
      ...{ attempts: 2, attemptsBefore: 2 },
    });
    given(...failed, replayed, started(3))
      .when(fail(3))
      .then(failedAttempt(3, addSeconds(LATER, DELAYS_SECONDS[1] ?? 0)));
  });

  it('is replayed once, and no other delivery is', () => {
    for (const past of [
      [],
      [scheduled],
      [scheduled, started(1)],
      [scheduled, started(1), failedAttempt(1, LATER)],
      [scheduled, started(1), succeeded],
      [atOnce],
      [...failed, replayed],
    ])
      given(...past)
        .when(replay)
        .then();
  });
});

describe('the state of a delivery', () => {
  const states: Record<Delivery['status'], Delivery> = {
    unscheduled: given().state(),
    pending: given(scheduled, started(1), failedAttempt(1, LATER)).state(),
    delivering: given(scheduled, started(1)).state(),
    succeeded: given(scheduled, started(1), succeeded).state(),
    failed: given(...failed).state(),
  };

  it('tells whether the next event about the resource may be sent, and which attempt is made', () => {
    expect(Object.values(states).map(({ status }) => status)).toEqual(Object.keys(states));
    expect(Object.values(states).filter(hasEnded)).toEqual([states.unscheduled, states.succeeded, states.failed]);
    const live = Object.values(states).filter(isLive);
    expect(live.map((one) => [one.status, attemptOf(one)])).toEqual([
      ['pending', 2],
      ['delivering', 1],
    ]);
  });

  it('names the resource of the event, even after a first attempt that was not recorded before', () => {
    const resource = { type: 'order', id: 'o' };
    expect(given(scheduled).state()).toMatchObject({ resource, scheduledAt: NOW, waitsSince: NOW, updatedAt: NOW });
    expect(given(atOnce).state()).toMatchObject({ resource, scheduledAt: NOW, waitsSince: NOW, updatedAt: LATER });
    const { resourceType: _, resourceId: _id, ...older } = atOnce.data;
    expect(given(new DeliveredAtOnce(older)).state()).toMatchObject({ status: 'succeeded', resource: null });
  });

  it('cannot follow from events that are out of order', () => {
    for (const past of [[started(1)], [replayed], [atOnce, started(1)], [scheduled, started(1), succeeded, replayed]])
      expect(() => given(...past).state()).toThrow('cannot follow');
  });
});
