import {
  WebhookEndpointCreated,
  WebhookEndpointDeleted,
  WebhookEndpointDisabled,
  WebhookEndpointEnabled,
  WebhookReplayRequested,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import { endpointsDecider } from '../endpoints.decider';
import { MAX_REPLAYS_PER_DAY } from './replay-limit.domain';

const NOW = '2026-03-02T12:00:00.000Z';
const after = (hours: number): string => addSeconds(NOW, hours * 3_600);
const RANGE = { from: NOW, to: NOW, eventTypes: null };

const created = (endpointId: string) =>
  new WebhookEndpointCreated({
    ...{ endpointId, accountId: 'a', url: 'https://partner.example/', eventTypes: null },
    ...{ secret: 'sealed:v1:endpoint:x', createdAt: NOW },
  });
const replayed = (hours: number, replayId = 'r', endpointId = 'e1') =>
  new WebhookReplayRequested({
    ...{ endpointId, accountId: 'a', replayId, ...RANGE, missedOnly: false },
    requestedAt: after(hours),
  });
const replay = (hours: number, endpointId = 'e1') =>
  ({ kind: 'replay', endpointId, replayId: 'next', ...RANGE, now: after(hours) }) as const;
const DAY = Array.from({ length: MAX_REPLAYS_PER_DAY }, (_, at) => replayed(at));
const REFUSAL = {
  code: 'limit-exceeded',
  message: `an account accepts ${MAX_REPLAYS_PER_DAY} replays in 24 hours; the next one is accepted from ${after(24)}`,
};
const { given } = scenario(endpointsDecider);

describe('an account whose events were replayed as often as a day allows', () => {
  it('accepts another replay 24 hours after the oldest one', () => {
    const past = [created('e1'), ...DAY];
    expect(
      given(...past)
        .when(replay(23.9))
        .refusal(),
    ).toMatchObject(REFUSAL);
    given(...past)
      .when(replay(24))
      .then(replayed(24, 'next'));
    expect(
      given(...past, replayed(24))
        .when(replay(24.5))
        .refusal(),
    ).toMatchObject({ code: 'limit-exceeded' });
    given(...past, replayed(24))
      .when(replay(25))
      .then(replayed(25, 'next'));
  });

  it('accepts no replay to another endpoint, nor to one that was created after its last one was deleted', () => {
    expect(
      given(created('e1'), created('e2'), ...DAY)
        .when(replay(12, 'e2'))
        .refusal(),
    ).toMatchObject(REFUSAL);
    const deleted = new WebhookEndpointDeleted({ endpointId: 'e1', accountId: 'a', deletedAt: after(10) });
    expect(
      given(created('e1'), ...DAY, deleted, created('e2'))
        .when(replay(12, 'e2'))
        .refusal(),
    ).toMatchObject(REFUSAL);
  });

  it('can enable an endpoint again, but only without a replay of what it missed', () => {
    const disabled = new WebhookEndpointDisabled({
      ...{ endpointId: 'e1', accountId: 'a', reason: 'gone', disabledAt: after(10) },
    });
    const past = [created('e1'), ...DAY, disabled];
    const enable = (replayId: string | null) =>
      ({
        kind: 'change',
        ...{ endpointId: 'e1', target: null, eventTypes: null, description: null, enabled: true },
        ...{ replayId, now: after(11) },
      }) as const;
    expect(
      given(...past)
        .when(enable('missed'))
        .refusal(),
    ).toMatchObject(REFUSAL);
    given(...past)
      .when(enable(null))
      .then(new WebhookEndpointEnabled({ endpointId: 'e1', accountId: 'a', enabledAt: after(11) }));
  });
});
