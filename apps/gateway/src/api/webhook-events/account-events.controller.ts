import { Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReportLimit } from '@ponte/concurrency';
import { ListAccountEvents } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';
import type { AccountRequest, Call } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { ApiError, shapeError } from '../../errors/api-error';
import { DEFAULT_LIMIT } from '../../pagination/page-query';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import {
  AccountEventsDto,
  AccountEventsQuery,
  EventStreamQuery,
  numberedEventDto,
  PublishedEventDto,
} from './account-event.dto';
import { EventStreams } from './event-streams.service';
import { STREAM_HEADERS, STREAM_TYPE } from './event-stream';
import { SAMPLE } from '../samples';
import { exampleOf } from '../../validation/fields';

/** Events that a stream reads at a time. */
const STREAM_PAGE = 100;
const LAST_EVENT_ID = 'Last-Event-ID';
const EVENT_NUMBER = /^(0|[1-9]\d{0,14})$/;

/** The event log of an account: the same events as its webhooks, in order and without gaps. */
@Resource('api/v1/accounts/:accountId/events', 'webhooks')
export class AccountEventsController {
  private readonly reports = new ReportLimit();

  constructor(
    private readonly services: Services,
    private readonly streams: EventStreams,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  @Operation({
    id: 'list-account-events',
    summary: 'List the events of an account and its sub-accounts of the last 90 days, numbered without gaps',
    reach: 'account',
    query: AccountEventsQuery,
    answer: described(
      AccountEventsDto,
      exampleOf(AccountEventsDto, {
        events: [
          {
            number: 42,
            event: exampleOf(PublishedEventDto, {
              'event-type': 'order-processing',
              payload: {
                'order-id': SAMPLE.orderId,
                'account-id': SAMPLE.accountId,
                'created-by': SAMPLE.parentId,
                'created-by-api-key': SAMPLE.keyId,
                'started-at': SAMPLE.time,
              },
              sequence: 2,
              'previous-state': 'created',
            }),
          },
        ],
      }),
    ),
    errors: ['cursor-expired', 'invalid-cursor', 'invalid-limit'],
  })
  @Get()
  async list(@Req() { call, query }: AccountRequest): Promise<AccountEventsDto> {
    const { after, start, limit = DEFAULT_LIMIT } = query as AccountEventsQuery;
    if (start === undefined) return this.page(call, after === undefined ? null : Number(after), Number(limit));
    if (after !== undefined)
      throw shapeError([{ path: 'start', code: 'invalid-format', message: 'must not be sent together with `after`' }]);
    return this.page(call, 'end', Number(limit));
  }

  @Operation({
    id: 'stream-account-events',
    summary:
      'Stream the events as Server-Sent Events: id is the number in the log, event the event type, data the event',
    reach: 'account',
    query: EventStreamQuery,
    bytes: [STREAM_TYPE],
    errors: ['cursor-expired', 'invalid-cursor', 'too-many-streams', 'invalid-format'],
  })
  @Get('stream')
  async stream(@Req() request: AccountRequest, @Res() reply: FastifyReply): Promise<void> {
    const { call } = request;
    const slot = this.streams.take(call);
    try {
      await this.streams.listen();
      const start = startOf(request);
      const first = await this.page(call, start.after, STREAM_PAGE).catch((error: unknown) => {
        throw named(error, start.sentAs);
      });
      if (request.method === 'HEAD') {
        // The response has no body, so a stream would only keep it from ending.
        slot.leave();
        void reply.headers(STREAM_HEADERS).send();
        return;
      }
      this.streams.open(slot, { request, reply, first, read: (after) => this.page(call, after, STREAM_PAGE, true) });
    } catch (error) {
      slot.leave();
      throw error;
    }
  }

  /** `later`: the read happens after the request and gets its own deadline. Throws 410 `cursor-expired`. */
  private async page(
    call: Call,
    after: number | 'end' | null,
    limit: number,
    later = false,
  ): Promise<AccountEventsDto> {
    const payload = { accountId: call.accountId, after, limit };
    const page = await this.services[later ? 'later' : 'request'](ListAccountEvents, payload, call);
    if (page.expired) {
      const message = `The events after this position are older than 90 days and no longer stored. Continue with after=${page.firstKept - 1}.`;
      throw new ApiError('cursor-expired', { message });
    }
    const unreadable: string[] = [];
    const events = await Promise.all(
      page.events.map((event) =>
        numberedEventDto(event, this.personalData, () => unreadable.push(event.envelope.eventId)),
      ),
    );
    if (unreadable.length > 0)
      this.reports.note('unreadable', (repeats) =>
        this.logger.error(
          { ...call.logged, accountId: call.accountId, eventIds: unreadable, ...repeats },
          'events of a log cannot be decrypted',
        ),
      );
    return { events, 'next-after': page.next, more: page.more };
  }
}

interface Start {
  readonly after: number | 'end';
  /** The header or the parameter that the position is from. */
  readonly sentAs: typeof LAST_EVENT_ID | 'after';
}

/**
 * The event number after which the stream starts. `Last-Event-ID` takes precedence over the query, because a client
 * that reconnects repeats the query unchanged.
 */
function startOf({ headers, query }: AccountRequest): Start {
  const last = headers['last-event-id'];
  const { after } = query as EventStreamQuery;
  if (last === undefined || last === '') return { after: after === undefined ? 'end' : Number(after), sentAs: 'after' };
  if (typeof last !== 'string' || !EVENT_NUMBER.test(last)) {
    throw shapeError([
      { path: LAST_EVENT_ID, code: 'invalid-format', message: 'must be the number of an event, or 0' },
    ]);
  }
  return { after: Number(last), sentAs: LAST_EVENT_ID };
}

/** The error of the event log, with the position under the name with which the client sent it. */
function named(error: unknown, sentAs: Start['sentAs']): unknown {
  if (!(error instanceof Refusal)) return error;
  return new Refusal(error.violations.map((one) => (one.path === 'after' ? { ...one, path: sentAs } : one)));
}
