import { resolve } from 'node:path';
import type { ManagementConfig } from './observability/settings';
import { MANAGEMENT_SETTINGS, readManagement } from './observability/settings';
import type { RemoteEngines } from './remote-engines';
import { REMOTE_SETTINGS, readRemoteEngines } from './remote-engines';
import type { Setting } from './settings';
import type { TracingConfig } from './tracing/settings';
import { readTracing, TRACING_SETTINGS } from './tracing/settings';

export type Environment = 'sandbox' | 'production';

/** What every service knows about its process. Read once, at the composition root. */
export interface Runtime {
  readonly environment: Environment;
  /** Absolute path of the folder that holds everything the embedded engines keep. */
  readonly dataDirectory: string;
  /** The gateway's port. */
  readonly port: number;
  /** Level of the log: fatal, error, warn, info, debug, trace or silent. */
  readonly logLevel: string;
  /** True when embedded engines were asked for by name, without which production refuses them. */
  readonly embeddedByName: boolean;
  /**
   * Where the production engines are. Absent in a process that keeps everything in its data folder; there is no third
   * mode.
   */
  readonly remote?: RemoteEngines;
  /** Where health and metrics are served; absent where the environment is not read. */
  readonly management?: ManagementConfig;
  /** Where traces are sent; null or absent where nothing is traced. */
  readonly tracing?: TracingConfig | null;
  /** `before:OrderPlaced`, `after:HoldPlaced:2`: where a test wants this process killed. Absent in any other use. */
  readonly failpoint: string | null;
}

export const RUNTIME_SETTINGS: readonly Setting[] = [
  { name: 'PORT', meaning: 'port of the gateway', default: '3000' },
  { name: 'PONTE_DATA_DIR', meaning: 'folder of the embedded engines', default: '.ponte' },
  { name: 'PONTE_ENVIRONMENT', meaning: 'sandbox or production', default: 'sandbox' },
  {
    name: 'PONTE_ENGINES',
    meaning: '`embedded` to keep everything in the data folder; in production it must be said',
    default: 'embedded in the sandbox',
  },
  { name: 'PONTE_LOG_LEVEL', meaning: 'level of the log', default: 'info' },
  ...REMOTE_SETTINGS,
  ...MANAGEMENT_SETTINGS,
  ...TRACING_SETTINGS,
  {
    name: 'PONTE_FAILPOINT',
    meaning: 'tests alone: where the process kills itself; refused in production',
    default: '',
  },
];

const DEFAULT_PORT = 3000;
const MAX_PORT = 65_535;

export function readRuntime(env: Readonly<Record<string, string | undefined>>): Runtime {
  const port = Number(env['PORT'] ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) throw new Error(`PORT is not a port: ${env['PORT']}`);
  const environment = env['PONTE_ENVIRONMENT'] ?? 'sandbox';
  if (environment !== 'sandbox' && environment !== 'production')
    throw new Error(`PONTE_ENVIRONMENT is sandbox or production, not ${environment}`);
  return {
    environment,
    port,
    dataDirectory: resolve(env['PONTE_DATA_DIR'] || '.ponte'),
    logLevel: env['PONTE_LOG_LEVEL'] ?? 'info',
    embeddedByName: env['PONTE_ENGINES'] === 'embedded',
    failpoint: env['PONTE_FAILPOINT'] || null,
    management: readManagement(env),
    tracing: readTracing(env),
    ...readRemoteEngines(env, environment),
  };
}
