import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page, PageRequest } from '@ponte/contracts';
import { isoTime, parseInstant } from '@ponte/kernel';
import { Cursors } from './cursors';
import type { CursorScope } from './cursors';
import { DEFAULT_LIMIT } from './page-query';
import type { PageQuery } from './page-query';

/** Reads what a list was asked for, and tells where it goes on. */
@Injectable()
export class Pagination {
  constructor(private readonly cursors: Cursors) {}

  /** The page that a checked query asks for. Throws 400 `invalid-cursor`. */
  page(request: FastifyRequest): PageRequest {
    const query = request.query as PageQuery;
    return {
      limit: query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit),
      cursor: query.cursor === undefined ? null : this.cursors.read(query.cursor, scopeOf(request)),
      createdFrom: normalized(query['created-from']),
      createdTo: normalized(query['created-to']),
    };
  }

  /** Puts the next page's cursor into `X-Next-Cursor` and `Link`, and gives the items. */
  items<T>(page: Page<T>, request: FastifyRequest, reply: FastifyReply): readonly T[] {
    if (page.next) {
      const cursor = this.cursors.write(page.next, scopeOf(request));
      reply.header('x-next-cursor', cursor);
      reply.header('link', `<${withCursor(request.raw.url ?? '/', cursor)}>; rel="next"`);
    }
    return page.items;
  }
}

/**
 * Every declared member of the query but the place and the size of the page is a filter; what is not declared is
 * ignored.
 */
function scopeOf({ call, params, query }: FastifyRequest): CursorScope {
  const sent = query as Record<string, unknown>;
  const names = (call.policy?.query?.names ?? []).filter((name) => name !== 'limit' && name !== 'cursor');
  const filters = Object.fromEntries(names.map((name) => [name, sent[name]]));
  return {
    operation: call.policy?.operation ?? '',
    accountId: call.accountId,
    filters: { ...filters, path: { ...(params as object) } },
  };
}

function withCursor(url: string, cursor: string): string {
  const [path = '/', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${path}?${parameters.toString()}`;
}

const normalized = (text: string | undefined): string | null => {
  const ms = text === undefined ? undefined : parseInstant(text);
  return ms === undefined ? null : isoTime(ms);
};
