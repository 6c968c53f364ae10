import type { Setting, Variables } from '@ponte/kernel';
import { SettingsReader } from '@ponte/kernel';

export interface ManagementConfig {
  /** Null means the default for the kind of process; 0 means any free port. */
  readonly port: number | null;
  readonly host: string;
}

export const MANAGEMENT_SETTINGS: readonly Setting[] = [
  {
    name: 'MANAGEMENT_PORT',
    meaning:
      'port of /health/live, /health/ready and /metrics, and at the gateway of /staff/openapi.json and /staff/reference; 0 for any free port',
    default: '9464 in a process of a cluster, none in standalone',
  },
  {
    name: 'MANAGEMENT_HOST',
    meaning:
      'address to listen on; requests are not authenticated, so use an address other than loopback only behind a network policy',
    default: '127.0.0.1',
  },
];

/** Default for a process of a cluster. Processes that share a machine need different ports. */
export const MANAGEMENT_PORT = 9464;
const MAX_PORT = 65_535;

export function readManagement(env: Variables): ManagementConfig {
  const settings = new SettingsReader(MANAGEMENT_SETTINGS, env);
  return {
    port: settings.optional('MANAGEMENT_PORT') === null ? null : settings.wholeNumber('MANAGEMENT_PORT', 0, MAX_PORT),
    host: settings.text('MANAGEMENT_HOST'),
  };
}
