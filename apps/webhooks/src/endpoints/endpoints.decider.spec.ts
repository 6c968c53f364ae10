import type { WebhookEventType } from '@ponte/contracts';
import {
  WebhookEndpointCreated,
  WebhookEndpointDeleted,
  WebhookEndpointDisabled,
  WebhookEndpointEnabled,
  WebhookEndpointPinged,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { CreateEndpoint } from './endpoints.decider';
import { endpointsDecider, MAX_ENDPOINTS } from './endpoints.decider';
import { receivesEvent } from './account-endpoints.service';
import { targetRules } from './target.domain';

const NOW = '2026-03-02T12:00:00.000Z';
const SECRET = 'sealed:v1:endpoint:x' as const;

const request = (over: Partial<CreateEndpoint> = {}): CreateEndpoint => ({
  kind: 'create',
  endpointId: 'e1',
  accountId: 'a',
  url: 'https://partner.example/hooks',
  eventTypes: null,
  description: null,
  secret: SECRET,
  rules: targetRules('production'),
  addresses: [],
  sealedUrl: null,
  now: NOW,
  ...over,
});
const created = (endpointId = 'e1', eventTypes: readonly WebhookEventType[] | null = null) =>
  new WebhookEndpointCreated({
    endpointId,
    accountId: 'a',
    url: 'https://partner.example/hooks',
    eventTypes,
    secret: SECRET,
    createdAt: NOW,
  });
const given = scenario(endpointsDecider).given;

const faults = (command: CreateEndpoint): unknown =>
  (given().when(command).refusal() as { violations: { code: string; path: string }[] }).violations.map(
    ({ code, path }) => `${path} ${code}`,
  );

describe('the webhook endpoints of an account', () => {
  it('are created with their filter in the order of the catalogue', () => {
    given()
      .when(request({ eventTypes: ['order-completed', 'deposit-processed', 'order-completed'] }))
      .then(created('e1', ['deposit-processed', 'order-completed']));
  });

  it('are at most 10, disabled ones included', () => {
    const ten = Array.from({ length: MAX_ENDPOINTS }, (_, at) => created(`e${at}`));
    const disabled = new WebhookEndpointDisabled({ endpointId: 'e0', accountId: 'a', reason: 'gone', disabledAt: NOW });
    expect(
      given(...ten, disabled)
        .when(request({ endpointId: 'one-more' }))
        .refusal(),
    ).toMatchObject({ code: 'limit-exceeded' });
    const deleted = new WebhookEndpointDeleted({ endpointId: 'e0', accountId: 'a', deletedAt: NOW });
    expect(
      given(...ten, deleted)
        .when(request({ endpointId: 'one-more' }))
        .events(),
    ).toHaveLength(1);
  });

  it('must use https outside the sandbox', () => {
    expect(faults(request({ url: 'http://partner.example/' }))).toEqual(['url invalid-format']);
    expect(
      given()
        .when(request({ url: 'http://127.0.0.1:4000/hooks', rules: targetRules('sandbox') }))
        .events(),
    ).toHaveLength(1);
  });

  it.each([
    'partner.example/hooks',
    '/hooks',
    '',
    'ftp://partner.example/',
    'javascript:alert(1)',
    'https://',
    'https://user:pass@partner.example/',
    'https://user@partner.example/',
    'https://partner.example/#part',
    'https://partner.example/#',
    ' https://partner.example/',
    'https://partner.example/a b',
    'https://partner.example/\n',
    'https://pártner.example/',
    `https://partner.example/${'x'.repeat(2048)}`,
  ])('cannot have the URL %j, not even in the sandbox', (url) => {
    expect(faults(request({ url, rules: targetRules('sandbox') }))).toEqual(['url invalid-format']);
  });

  it('are refused with all violations at once', () => {
    const eventTypes = ['order-created', 'order-cancelled'] as unknown as WebhookEventType[];
    expect(faults(request({ url: 'x', eventTypes }))).toEqual([
      'url invalid-format',
      'event-types[1] invalid-enum-value',
    ]);
    expect(faults(request({ eventTypes: [] }))).toEqual(['event-types invalid-format']);
  });

  it('do not change when they are created again with the same id', () => {
    given(created())
      .when(request({ url: 'https://other.example/' }))
      .then();
  });

  it('have no events for commands on an unknown endpoint', () => {
    for (const command of [
      { kind: 'delete', endpointId: 'e2', now: NOW },
      { kind: 'ping', endpointId: 'e2', eventId: 'p', now: NOW },
      { kind: 'disable', endpointId: 'e2', reason: 'gone', parentId: null, failedAt: NOW, now: NOW },
    ] as const)
      given(created()).when(command).then();
  });

  it('number their pings apart from their disablements, from 1 without gaps, each naming the previous one, until they are disabled', () => {
    const ping = (eventId: string, sequence: number, previousEventId?: string) =>
      new WebhookEndpointPinged({
        endpointId: 'e1',
        accountId: 'a',
        eventId,
        sequence,
        ...(previousEventId === undefined ? {} : { previousEventId }),
        pingedAt: NOW,
      });
    given(created()).when({ kind: 'ping', endpointId: 'e1', eventId: 'p1', now: NOW }).then(ping('p1', 1));
    given(created(), ping('p1', 1))
      .when({ kind: 'ping', endpointId: 'e1', eventId: 'p2', now: NOW })
      .then(ping('p2', 2, 'p1'));
    const published = new WebhookEndpointDisabled({
      endpointId: 'e1',
      accountId: 'a',
      reason: 'gone',
      disabledAt: NOW,
      sequence: 1,
    });
    given(created(), ping('p1', 1))
      .when({ kind: 'disable', endpointId: 'e1', reason: 'gone', parentId: null, failedAt: NOW, now: NOW })
      .then(published);
    given(
      created(),
      ping('p1', 1),
      published,
      new WebhookEndpointEnabled({ endpointId: 'e1', accountId: 'a', enabledAt: NOW }),
    )
      .when({ kind: 'ping', endpointId: 'e1', eventId: 'p2', now: NOW })
      .then(ping('p2', 2, 'p1'));
    const disabled = new WebhookEndpointDisabled({ endpointId: 'e1', accountId: 'a', reason: 'gone', disabledAt: NOW });
    expect(
      given(created(), ping('p1', 1), disabled)
        .when({ kind: 'ping', endpointId: 'e1', eventId: 'p2', now: NOW })
        .refusal(),
    ).toMatchObject({ code: 'webhook-endpoint-disabled' });
  });

  it('receive the event types of their filter, all types without a filter, and none when disabled', () => {
    const endpoint = (...past: Parameters<typeof given>) => {
      const found = given(...past)
        .state()
        .byId.get('e1');
      if (!found) throw new Error('no endpoint');
      return found;
    };
    expect(receivesEvent(endpoint(created('e1', ['order-completed'])), 'order-completed')).toBe(true);
    expect(receivesEvent(endpoint(created('e1', ['order-completed'])), 'order-created')).toBe(false);
    expect(receivesEvent(endpoint(created()), 'deposit-voided')).toBe(true);
    const disabled = new WebhookEndpointDisabled({ endpointId: 'e1', accountId: 'a', reason: 'gone', disabledAt: NOW });
    expect(receivesEvent(endpoint(created(), disabled), 'deposit-voided')).toBe(false);
  });
});
