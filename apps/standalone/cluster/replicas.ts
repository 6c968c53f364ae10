import { SERVICES } from '@ponte/contracts';
import { isDeclared } from '@ponte/kernel';
import { RUNTIME_SETTINGS } from '@ponte/nest';
import { SERVICE_SETTINGS } from '../src/configuration';
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

const DECLARED = Object.values(SERVICE_SETTINGS).flatMap(({ declared }) => declared);

/** The variables without the settings that only other services have, because a service warns of what it ignores. */
function withoutOthers(service: string, env: Env): Env {
  const own = [...RUNTIME_SETTINGS, ...(SERVICE_SETTINGS[service]?.declared ?? [])];
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => isDeclared(own, name) || !isDeclared(DECLARED, name)),
  );
}

/** `count` replicas of every service. Each replica of the gateway has its own port. */
export const replicasOf = (count: number, env: Env, gatewayPorts: readonly number[]): Replica[] =>
  SERVICES.flatMap((service) =>
    Array.from({ length: count }, (_, index): Replica => ({
      name: `${service}-${index + 1}`,
      service,
      env: {
        ...withoutOthers(service, env),
        MANAGEMENT_PORT: '0',
        PONTE_INSTANCE: `${service}-${index + 1}-${Date.now().toString(36)}`,
        PORT: String(service === 'gateway' ? gatewayPorts[index] : 0),
      },
    })),
  );
