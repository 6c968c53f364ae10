import type { WebhookEventType, WebhookReplayRecord } from '@ponte/contracts';
import { WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import { instant, uuid } from '../../validation/field-types';
import { textList } from '../../validation/list-field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';
import { SAMPLE } from '../samples';

const eventTypes = textList(WEBHOOK_EVENT_TYPES.length, WEBHOOK_EVENT_TYPES);

export class WebhookReplayRequestDto {
  @Required(instant, 'Events that occurred at or after this time, at most 90 days ago', SAMPLE.time)
  from!: string;

  @Required(instant, 'Events that occurred before or at this time', SAMPLE.later)
  to!: string;

  @Optional(eventTypes, 'Event types to send; those of the endpoint if absent', ['order-completed'])
  'event-types'?: WebhookEventType[];
}

export class WebhookReplayDto {
  @Required(uuid, 'Id of the replay', SAMPLE.eventId)
  id!: string;

  @Required(instant, 'Start of the range', SAMPLE.time)
  from!: string;

  @Required(instant, 'End of the range', SAMPLE.later)
  to!: string;

  @Optional(eventTypes, 'Event types that are sent; those of the endpoint if absent', ['order-completed'])
  'event-types'?: WebhookEventType[];

  @Required(instant, 'When it was requested', SAMPLE.later)
  'requested-at'!: string;
}

export class WebhookReplayEnvelopeDto extends EnvelopeOf(
  'webhook-replay',
  () => WebhookReplayDto,
  'The replay, which runs in the background',
) {}

export const REPLAY_REQUEST_EXAMPLE = exampleOf(WebhookReplayRequestDto, { 'event-types': ['order-completed'] });

export const REPLAY_EXAMPLE: WebhookReplayEnvelopeDto = {
  'webhook-replay': { id: SAMPLE.eventId, ...REPLAY_REQUEST_EXAMPLE, 'requested-at': SAMPLE.later },
};

export const replayDto = (replay: WebhookReplayRecord): WebhookReplayDto => ({
  id: replay.replayId,
  ...toWire(replay, 'from', 'to', 'requestedAt'),
  ...(replay.eventTypes === null ? {} : { 'event-types': [...replay.eventTypes] }),
});
