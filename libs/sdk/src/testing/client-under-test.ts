import { Ponte } from '../index';
import type { PonteOptions } from '../index';
import { ScriptedServer } from './scripted-server';

export const ACCOUNT = '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01';

export const QUOTE = {
  'source-asset': 'fiat/brl',
  'target-asset': 'eth-base/brlv',
  'source-amount': '100.00',
} as const;

/** Starts a server for the tests of the file, with clients of it. */
export function clientUnderTest() {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return {
    server,
    client: (options: Partial<PonteOptions> = {}): Ponte =>
      new Ponte({ baseUrl: server.baseUrl, apiKey: 'sk_test_secret', ...options } as PonteOptions),
    /** The idempotency keys of the requests that arrived. */
    keys: (): unknown[] => server.arrived.map(({ headers }) => headers['idempotency-key']),
  };
}

/** The error that a call is rejected with. */
export const caught = async (promise: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return await Promise.reject(await promise.then((value) => new Error(`resolved with ${JSON.stringify(value)}`)));
  } catch (error) {
    return error;
  }
};
