import type { Environment } from '@ponte/nest';
import type { LightMyRequestResponse } from 'fastify';
import type { GatewayUnderTest } from './gateway-under-test';
import { startGateway } from './gateway-under-test';

/**
 * A gateway for helpers that several files of tests import. Each of these files calls `useTestGateway`, which starts it
 * before the tests of that file and stops it after them. Its fields can be used only within tests.
 */
export function testGateway(environment?: Environment): { gateway: GatewayUnderTest; useTestGateway: () => void } {
  let running: GatewayUnderTest | undefined;
  const started = (): GatewayUnderTest => {
    if (!running) throw new Error('the gateway can be used only within tests');
    return running;
  };
  const gateway = new Proxy({} as GatewayUnderTest, {
    get: (_none, name) => started()[name as keyof GatewayUnderTest],
  });
  const useTestGateway = (): void => {
    beforeAll(async () => {
      running = await startGateway(environment);
    });
    afterAll(() => running?.stop());
  };
  return { gateway, useTestGateway };
}

/** A gateway that starts before the tests of a file and stops after them. Its fields can be used only within tests. */
export function useGateway(environment?: Environment): GatewayUnderTest {
  const { gateway, useTestGateway } = testGateway(environment);
  useTestGateway();
  return gateway;
}

/** The status of a response, with the code of an error: `404 order-not-found`. */
export function codeOf({ statusCode, body }: LightMyRequestResponse): string {
  if (statusCode < 400 || !body.startsWith('{')) return String(statusCode);
  return `${statusCode} ${(JSON.parse(body) as { error: { code: string } }).error.code}`;
}
