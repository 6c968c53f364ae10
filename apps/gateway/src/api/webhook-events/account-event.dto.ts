import type { LoggedEvent, WebhookResourceType } from '@ponte/contracts';
import { openedPayload, WEBHOOK_EVENT_TYPES, WEBHOOK_RESOURCE_TYPES, wireEvent } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { FieldType } from '../../validation/field-types';
import { flag, instant, isText, oneOf, ofText, record, rule, text, uuid, whole } from '../../validation/field-types';
import { Optional, Required, RequiredObject, RequiredObjects } from '../../validation/fields';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../pagination/page-query';
import { SAMPLE } from '../samples';

const EVENT_NUMBER = /^(0|[1-9]\d{0,14})$/;
const LAST_EVENT_NUMBER = 999_999_999_999_999;

/** A position in an account's event log: the number of an event, or 0 for the beginning. */
const eventNumber: FieldType = {
  rules: [
    isText,
    rule(
      'isEventNumber',
      ofText((sent) => EVENT_NUMBER.test(sent)),
      'invalid-format',
      'must be the number of an event, or 0',
    ),
  ],
  schema: { type: 'integer', minimum: 0, maximum: LAST_EVENT_NUMBER },
};

const limit: FieldType = {
  rules: [
    rule(
      'isPageLimit',
      (sent) => typeof sent === 'string' && /^[1-9]\d{0,2}$/.test(sent) && Number(sent) <= MAX_LIMIT,
      'invalid-limit',
      `must be a whole number from 1 to ${MAX_LIMIT}`,
    ),
  ],
  schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
};

export class AccountEventsQuery {
  @Optional(eventNumber, 'Events after this number; if absent, from the oldest stored event')
  after?: string;

  @Optional(
    oneOf(['latest']),
    '`latest`: no events; `next-after` is the number of the newest event. Not together with `after`',
  )
  start?: 'latest';

  @Optional(limit, 'Maximum number of events')
  limit?: string;
}

export class EventStreamQuery {
  @Optional(
    eventNumber,
    'Events after this number, then new events; if absent, only new events. `Last-Event-ID` takes precedence',
  )
  after?: string;
}

/** An event as it is posted to endpoints. */
export class PublishedEventDto {
  @Required(uuid, 'The same at every endpoint of the account and in `webhook-id`', SAMPLE.eventId)
  'event-id'!: string;

  @Required(oneOf(WEBHOOK_EVENT_TYPES), 'Type of the event', 'order-completed')
  'event-type'!: string;

  @Required(record, 'Depends on the event type; see `webhooks` in this document', { 'order-id': SAMPLE.orderId })
  payload!: object;

  @Required(
    uuid,
    'The account that the event is about: the account of the path or one of its sub-accounts',
    SAMPLE.accountId,
  )
  'account-id'!: string;

  @Required(oneOf(WEBHOOK_RESOURCE_TYPES), 'The resource that the event is about', 'order')
  'resource-type'!: WebhookResourceType;

  @Required(text(1, 80), 'Id of the resource', SAMPLE.orderId)
  'resource-id'!: string;

  @Required(whole, 'Number of the event among the events of its resource, from 1', 3)
  sequence!: number;

  @Optional(text(1, 60), 'Previous state of the resource', 'processing')
  'previous-state'?: string;

  @Required(instant, 'When it occurred', SAMPLE.time)
  'occurred-at'!: string;

  @Required(oneOf(['v1']), 'Version of the API', 'v1')
  'api-version'!: string;
}

export class NumberedEventDto {
  @Required(whole, 'Number of the event in the event log of the account, from 1 without gaps', 42)
  number!: number;

  @RequiredObject(() => PublishedEventDto, 'The event as posted to endpoints')
  event!: PublishedEventDto;
}

export class AccountEventsDto {
  @RequiredObjects(() => NumberedEventDto, 'Oldest first')
  events!: NumberedEventDto[];

  @Required(whole, 'Value of `after` for the next page', 42)
  'next-after'!: number;

  @Required(flag, 'Whether there are more events now', false)
  more!: boolean;
}

/**
 * An event of the log, with its personal data unsealed for this response only. `unreadable` receives the names of the
 * fields that cannot be decrypted, if there are any.
 */
export async function numberedEventDto(
  { number, envelope }: LoggedEvent,
  personalData: Pick<PersonalData, 'open'>,
  unreadable: (fields: readonly string[]) => void,
): Promise<NumberedEventDto> {
  const opened = await openedPayload(envelope, personalData);
  if (opened.unreadable.length > 0) unreadable(opened.unreadable);
  return { number, event: wireEvent(envelope, opened.payload) };
}
