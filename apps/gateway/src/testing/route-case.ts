import type { InjectOptions } from 'fastify';
import type { Shape } from '../validation/fields';
import type { Reach } from '../edge/route-policy';

/** One route with a valid request. */
export interface RouteCase {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The URL for an account; routes without an account ignore it. */
  readonly url: (account: string) => string;
  readonly reach: Reach;
  readonly body?: object;
  readonly status: number;
  readonly answer: Shape | null;
}

export const of = (path: string) => (account: string) => `/api/v1/accounts/${account}${path}`;
export const at = (path: string) => () => path;

export const get = (id: string, reach: Reach, url: RouteCase['url'], answer: Shape): RouteCase => ({
  id,
  method: 'GET',
  url,
  reach,
  status: 200,
  answer,
});
export const post = (
  id: string,
  reach: Reach,
  url: RouteCase['url'],
  body: object | undefined,
  answer: Shape,
  status = 200,
): RouteCase => ({ id, method: 'POST', url, reach, status, answer, ...(body ? { body } : {}) });

export const patch = (id: string, reach: Reach, url: RouteCase['url'], body: object, answer: Shape): RouteCase => ({
  id,
  method: 'PATCH',
  url,
  reach,
  status: 200,
  answer,
  body,
});

/** The route's request with these credentials. */
export const requestOf = (route: RouteCase, account: string, headers: Record<string, string> = {}): InjectOptions => ({
  method: route.method,
  url: route.url(account),
  headers: { ...(route.body ? { 'content-type': 'application/json' } : {}), ...headers },
  ...(route.body ? { payload: JSON.stringify(route.body) } : {}),
});
