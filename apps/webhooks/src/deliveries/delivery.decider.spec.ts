import type { DeliveryEvent } from '@ponte/contracts';
import { DeliveredAtOnce, DeliveryAttemptFailed } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import { hasEnded } from './delivery.state';
import { LATER, NOW, fail, failedAttempt, given, ids, known, scheduled, started, succeeded } from './delivery.testing';
import { DELAYS_SECONDS } from './retry-schedule.domain';

describe('a delivery', () => {
  const schedule = { kind: 'schedule', terms: known, now: NOW } as const;
  const first = { kind: 'record-first', terms: known, begunAt: NOW, now: LATER } as const;
  const delivered = { ...first, first: { succeeded: true, httpStatus: 200, sourcePosition: '7' } } as const;
  const failure = {
    httpStatus: 500,
    reason: 'http-status',
    jitterPermille: 0,
    retryAfterSeconds: null,
    last: false,
  } as const;
  const atOnce = new DeliveredAtOnce({
    ...ids,
    eventId: 'event',
    eventType: 'order-created',
    resourceType: 'order',
    resourceId: 'o',
    sourcePosition: '7',
    correlationId: 'c',
    scheduledAt: NOW,
    succeededAt: LATER,
    httpStatus: 200,
  });

  it('is scheduled once', () => {
    given().when(schedule).then(scheduled);
    given(scheduled).when(schedule).then();
  });

  it('is a single event when its first attempt succeeds, and has then ended', () => {
    given().when(delivered).then(atOnce);
    expect(given(atOnce).state()).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      eventId: 'event',
      eventType: 'order-created',
    });
    for (const late of [delivered, schedule, fail(1), { kind: 'start', now: LATER }] as const)
      given(atOnce).when(late).then();
  });

  it('has the same events after a failed unrecorded first attempt as if it had been recorded before', () => {
    given()
      .when({ ...first, first: { succeeded: false, failure } })
      .then(scheduled, started(1), failedAttempt(1, addSeconds(LATER, 10)));
    const last = { ...failure, httpStatus: 410, reason: 'gone', last: true } as const;
    expect(
      given()
        .when({ ...first, first: { succeeded: false, failure: last } })
        .events()
        .at(-1),
    ).toMatchObject({ data: { reason: 'gone', nextAt: null } });
    given(scheduled).when(delivered).then();
  });

  it('is started before its request is sent, and a running attempt is not started again', () => {
    given(scheduled).when({ kind: 'start', now: NOW }).then(started(1));
    given(scheduled, started(1)).when({ kind: 'start', now: NOW }).then();
    given(scheduled, started(1), failedAttempt(1, LATER)).when({ kind: 'start', now: NOW }).then(started(2));
  });

  it('succeeds once and ignores later commands', () => {
    const succeed = { kind: 'succeed', attempt: 1, httpStatus: 200, now: LATER } as const;
    given(scheduled, started(1)).when(succeed).then(succeeded);
    for (const late of [
      succeed,
      fail(1),
      { kind: 'start', now: LATER },
      { kind: 'abandon', reason: 'endpoint-deleted', now: LATER },
    ] as const) {
      given(scheduled, started(1), succeeded).when(late).then();
    }
  });

  it('ignores the outcome of an attempt that is not running', () => {
    given(scheduled, started(1), failedAttempt(1, LATER), started(2)).when(fail(1)).then();
    given(scheduled).when({ kind: 'succeed', attempt: 1, httpStatus: 200, now: LATER }).then();
    // A second report about an attempt whose outcome is known.
    for (const late of [fail(1), { kind: 'succeed', attempt: 1, httpStatus: 200, now: LATER } as const])
      given(scheduled, started(1), failedAttempt(1, LATER)).when(late).then();
  });

  it('waits for the next attempt of the schedule after a failure', () => {
    given(scheduled, started(1))
      .when(fail(1))
      .then(failedAttempt(1, addSeconds(LATER, 10)));
    const { state } = given(scheduled, started(1), failedAttempt(1, addSeconds(LATER, 10)));
    expect(state()).toMatchObject({ status: 'pending', dueAt: addSeconds(LATER, 10), attempts: 1 });
  });

  it('fails after the last attempt of the schedule', () => {
    const past: DeliveryEvent[] = [scheduled];
    for (let attempt = 1; attempt < DELAYS_SECONDS.length; attempt += 1)
      past.push(started(attempt), failedAttempt(attempt, LATER));
    given(...past, started(14))
      .when(fail(14))
      .then(failedAttempt(14, null));
    expect(given(...past, started(14), failedAttempt(14, null)).state().status).toBe('failed');
  });

  it('fails permanently on a 410 response', () => {
    given(scheduled, started(1))
      .when(fail(1, { httpStatus: 410, reason: 'gone', last: true }))
      .then(
        new DeliveryAttemptFailed({
          ...ids,
          attempt: 1,
          failedAt: LATER,
          httpStatus: 410,
          reason: 'gone',
          nextAt: null,
        }),
      );
  });

  it('fails when its endpoint is deleted, using only transitions of the state machine', () => {
    const ended = (attempt: number) =>
      new DeliveryAttemptFailed({
        ...ids,
        attempt,
        failedAt: NOW,
        httpStatus: null,
        reason: 'endpoint-deleted',
        nextAt: null,
      });
    const abandon = { kind: 'abandon', reason: 'endpoint-deleted', now: NOW } as const;
    given(scheduled).when(abandon).then(started(1), ended(1));
    given(scheduled, started(1)).when(abandon).then(ended(1));
    expect(hasEnded(given(scheduled, started(1), ended(1)).state())).toBe(true);
  });
});
