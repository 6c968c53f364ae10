import type { Environment } from '@ponte/nest';
import type { LightMyRequestResponse } from 'fastify';
import type { GatewayUnderTest } from './gateway-under-test';
import { startGateway } from './gateway-under-test';

/** A gateway that starts before the tests of a file and stops after them. Its members can be used only within tests. */
export function useGateway(environment?: Environment): GatewayUnderTest {
  let running: GatewayUnderTest | undefined;
  beforeAll(async () => {
    running = await startGateway(environment);
  });
  afterAll(() => running?.stop());
  const started = (): GatewayUnderTest => {
    if (!running) throw new Error('the gateway can be used only within tests');
    return running;
  };
  return new Proxy({} as GatewayUnderTest, {
    get: (_none, name) => started()[name as keyof GatewayUnderTest],
  });
}

/** The status of a response, with the code of an error: `404 order-not-found`. */
export function codeOf({ statusCode, body }: LightMyRequestResponse): string {
  if (statusCode < 400 || !body.startsWith('{')) return String(statusCode);
  return `${statusCode} ${(JSON.parse(body) as { error: { code: string } }).error.code}`;
}
