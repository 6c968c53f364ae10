import type { LightMyRequestResponse } from 'fastify';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { testGateway } from '../../testing/use-gateway';

export const { gateway, useTestGateway } = testGateway();

export type Json = Record<string, unknown>;
export interface Envelope {
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly code: string;
    readonly details?: readonly { path: string; code: string; message: string }[];
  };
}

export const [QUOTES, ORDERS] = [`/api/v1/accounts/${CHILD}/quotes`, `/api/v1/accounts/${CHILD}/orders`];
export const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };
export const key = { authorization: `Bearer ${KEY.partner}` };
export const send = (
  method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'OPTIONS',
  url: string,
  payload?: string | Buffer,
  headers: Json = {},
) =>
  gateway.app.inject({
    method,
    url,
    headers: { ...key, ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers } as Record<
      string,
      string
    >,
    ...(payload === undefined ? {} : { payload }),
  });
export const post = (url: string, body: unknown, headers: Json = {}) =>
  send('POST', url, JSON.stringify(body), headers);
export const errorOf = (answer: LightMyRequestResponse) => (answer.json() as Envelope).error;
