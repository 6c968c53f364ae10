import type { HttpArgumentsHost } from '@nestjs/common/interfaces';
import type { FastifyReply } from 'fastify';
import type { Page, PageRequest } from '@ponte/contracts';
import type { RequestDefinition } from '@ponte/event-sourcing';
import { isoTime, parseInstant } from '@ponte/kernel';
import type { AccountRequest, Call, Services } from '../edge/request-context.service';
import type { Cursors, CursorScope } from './cursors.service';
import { DEFAULT_LIMIT } from './page-query';
import type { PageQuery } from './page-query';

/** A request for a page of a list, with its checked query. Writes the cursor of the next page to the response. */
export class ListRequest<Q extends PageQuery = PageQuery> {
  readonly request: AccountRequest;
  readonly call: Call;
  /** The checked query. */
  readonly query: Q;
  private readonly reply: FastifyReply;

  constructor(
    http: HttpArgumentsHost,
    private readonly services: Services,
    private readonly cursors: Cursors,
  ) {
    this.request = http.getRequest<AccountRequest>();
    this.reply = http.getResponse<FastifyReply>();
    this.call = this.request.call;
    this.query = this.request.query as Q;
  }

  /** The page that the query asks for. Throws 400 `invalid-cursor`. */
  page(): PageRequest {
    const { limit, cursor, 'created-from': from, 'created-to': to } = this.query;
    return {
      limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
      cursor: cursor === undefined ? null : this.cursors.read(cursor, scopeOf(this.request)),
      createdFrom: normalized(from),
      createdTo: normalized(to),
    };
  }

  /** Returns the items of a page and sets the cursor of the next page in `X-Next-Cursor` and `Link`. */
  items<T>(page: Page<T>): readonly T[] {
    if (page.next) {
      const cursor = this.cursors.write(page.next, scopeOf(this.request));
      this.reply.header('x-next-cursor', cursor);
      this.reply.header('link', `<${withCursor(this.request.raw.url ?? '/', cursor)}>; rel="next"`);
    }
    return page.items;
  }

  /** Requests the page from a service, with the filters of `payload`. */
  async find<P extends { readonly page: PageRequest }, T>(
    definition: RequestDefinition<P, Page<T>>,
    payload: Omit<P, 'page'>,
  ): Promise<readonly T[]> {
    const paged = { ...payload, page: this.page() } as P;
    return this.items(await this.services.request(definition, paged, this.call));
  }
}

/** Every declared field of the query except `limit` and `cursor` is a filter. Undeclared fields are ignored. */
function scopeOf({ call, params, query }: AccountRequest): CursorScope {
  const sent = query as Record<string, unknown>;
  const names = (call.policy?.query?.names ?? []).filter((name) => name !== 'limit' && name !== 'cursor');
  const filters = Object.fromEntries(names.map((name) => [name, sent[name]]));
  return {
    operation: call.policy?.operation ?? '',
    accountId: call.accountId,
    filters: { ...filters, path: { ...params } },
  };
}

function withCursor(url: string, cursor: string): string {
  // Only the first question mark starts the query; a value may contain others.
  const [path = '/', ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set('cursor', cursor);
  return `${path}?${parameters.toString()}`;
}

const normalized = (text: string | undefined): string | null => {
  const ms = text === undefined ? undefined : parseInstant(text);
  return ms === undefined ? null : isoTime(ms);
};
