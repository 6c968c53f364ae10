import type { LightMyRequestResponse } from 'fastify';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const cookiesOf = (answer: LightMyRequestResponse): string[] => [answer.headers['set-cookie'] ?? []].flat();
export const valueOf = (cookie: string): string => /^[^=]+=([^;]*)/.exec(cookie)?.[1] ?? '';
export const SESSION = '/staff/v1/session';

export async function startWith(
  env: Record<string, string>,
  environment: 'sandbox' | 'production' = 'sandbox',
): Promise<GatewayUnderTest> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    return await startGateway(environment);
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
