import { SERVICES } from '@ponte/contracts';
import type { Env, Replica } from './service-processes';

export const MAX_REPLICAS = 4;

/**
 * Reads `PONTE_REPLICAS`, the number of processes per service, 1 by default. With 0 only the engines run, for a
 * restore.
 */
export function readReplicas(text: string | undefined): number {
  const count = Number(text || '1');
  if (!Number.isInteger(count) || count < 0 || count > MAX_REPLICAS)
    throw new Error(`PONTE_REPLICAS must be a whole number from 0 to ${MAX_REPLICAS}`);
  return count;
}

/** `count` replicas of every service. Each replica of the gateway has its own port. */
export const replicasOf = (count: number, env: Env, gatewayPorts: readonly number[]): Replica[] =>
  SERVICES.flatMap((service) =>
    Array.from({ length: count }, (_, index): Replica => ({
      name: `${service}-${index + 1}`,
      service,
      env: {
        ...env,
        MANAGEMENT_PORT: '0',
        PONTE_INSTANCE: `${service}-${index + 1}-${Date.now().toString(36)}`,
        PORT: String(service === 'gateway' ? gatewayPorts[index] : 0),
      },
    })),
  );
