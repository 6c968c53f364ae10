import { WebhookEndpointCreated } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { endpointsDecider } from '../endpoints.decider';
import { targetRules } from '../target.domain';

const NOW = '2026-03-02T12:00:00.000Z';
const IDS = { endpointId: 'e1', accountId: 'a' };
const SECRET = 'sealed:v1:endpoint:x';
const URL = 'https://partner.example/hooks';
const given = scenario(endpointsDecider).given;
const created = new WebhookEndpointCreated({ ...IDS, url: URL, eventTypes: null, secret: SECRET, createdAt: NOW });

/** The message for an empty filter, which says how to get what the sender may have meant. */
const refused = (advice: string) => ({
  violations: [
    { code: 'invalid-format', path: 'event-types', message: `must name at least one event type; ${advice}` },
  ],
});

describe('an empty filter of event types', () => {
  it('is refused when an endpoint is created or changed, where * means all types', () => {
    const creation = {
      ...({ kind: 'create', ...IDS, url: URL, eventTypes: [], description: null, secret: SECRET } as const),
      ...{ rules: targetRules('production'), addresses: [], sealedUrl: null, now: NOW },
    };
    expect(given().when(creation).refusal()).toMatchObject(refused('send ["*"] for all types'));
    const change = {
      ...({ kind: 'change', ...IDS, target: null, eventTypes: [], description: null, enabled: null } as const),
      ...{ replayId: null, now: NOW },
    };
    expect(given(created).when(change).refusal()).toMatchObject(refused('send ["*"] for all types'));
  });

  it('is refused in a replay, which without a filter uses that of the endpoint', () => {
    const replay = { kind: 'replay', ...IDS, replayId: 'r', from: NOW, to: NOW, eventTypes: [], now: NOW } as const;
    expect(given(created).when(replay).refusal()).toMatchObject(
      refused('omit event-types to replay those of the endpoint'),
    );
  });
});
