import type { LightMyRequestResponse } from 'fastify';
import type { RouteCase } from './route-case';
import { requestOf } from './route-case';
import { KEY } from './api-keys';
import { testGateway } from './use-gateway';

export const { gateway, useTestGateway } = testGateway();

export const as = (secret: string) => ({ authorization: `Bearer ${secret}` });
export const send = (route: RouteCase, account: string, headers: Record<string, string>) =>
  gateway.app.inject(requestOf(route, account, headers));
export const credentialsFor = ({ reach }: RouteCase, secret: string) =>
  reach === 'staff' ? { authorization: `Staff ${gateway.staffToken}` } : as(secret);
export const faultsIn = (answer: LightMyRequestResponse) =>
  (answer.json() as { error: { details: { path: string; code: string }[] } }).error.details.map(
    ({ path, code }) => `${path} ${code}`,
  );
export const lastRequest = (definition: { pattern: string }) => gateway.bus.requestsOf(definition).at(-1);
export const get = (url: string, secret = KEY.partner) => gateway.app.inject({ url, headers: as(secret) });
export const post = (url: string, body: object, headers: Record<string, string> = as(KEY.partner)) =>
  gateway.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
