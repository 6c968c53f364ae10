import {
  WebhookEndpointChanged,
  WebhookEndpointCreated,
  WebhookEndpointDisabled,
  WebhookEndpointEnabled,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { endpointsDecider } from '../endpoints/endpoints.decider';

const NOW = '2026-03-02T12:00:00.000Z';
const created = () =>
  new WebhookEndpointCreated({
    ...{ endpointId: 'e1', accountId: 'a', url: 'https://partner.example/hooks', eventTypes: null },
    ...{ secret: 'sealed:v1:endpoint:x', createdAt: NOW },
  });
const given = scenario(endpointsDecider).given;

describe('webhook endpoints', () => {
  it('are disabled once', () => {
    const disable = {
      kind: 'disable',
      endpointId: 'e1',
      reason: 'no-success',
      parentId: null,
      failedAt: NOW,
      now: NOW,
    } as const;
    const disabled = new WebhookEndpointDisabled({
      endpointId: 'e1',
      accountId: 'a',
      reason: 'no-success',
      disabledAt: NOW,
      sequence: 1,
    });
    given(created()).when(disable).then(disabled);
    given(created(), disabled)
      .when({ ...disable, reason: 'gone' })
      .then();
  });

  it('are not disabled by a 410 from before they got their URL or were enabled again', () => {
    const later = '2026-03-02T13:00:00.000Z';
    const moved = new WebhookEndpointChanged({
      endpointId: 'e1',
      accountId: 'a',
      url: 'https://b.example',
      changedAt: later,
    });
    const enabled = new WebhookEndpointEnabled({ endpointId: 'e1', accountId: 'a', enabledAt: later });
    const gone = {
      kind: 'disable',
      endpointId: 'e1',
      reason: 'gone',
      parentId: null,
      failedAt: NOW,
      now: later,
    } as const;
    for (const change of [moved, enabled]) {
      given(created(), change).when(gone).then();
      given(created(), change)
        .when({ ...gone, failedAt: later })
        .then(
          new WebhookEndpointDisabled({
            endpointId: 'e1',
            accountId: 'a',
            reason: 'gone',
            disabledAt: later,
            sequence: 1,
          }),
        );
    }
  });
});
