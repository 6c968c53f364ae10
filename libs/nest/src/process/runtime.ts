import { resolve } from 'node:path';
import type { ManagementConfig, TracingConfig } from '@ponte/observability';
import { MANAGEMENT_SETTINGS, readManagement, readTracing, TRACING_SETTINGS } from '@ponte/observability';
import type { RemoteEngines } from '../engines/remote-engines';
import { REMOTE_SETTINGS, readRemoteEngines } from '../engines/remote-engines';
import type { Setting, Variables } from '@ponte/kernel';
import { readEach, SettingsReader } from '@ponte/kernel';

export type Environment = 'sandbox' | 'production';

/** The settings that every service has about its process. Read once, at the composition root. */
export interface Runtime {
  readonly environment: Environment;
  /** Absolute path of the folder with all data of the embedded engines. */
  readonly dataDirectory: string;
  readonly port: number;
  /** Level of the log: fatal, error, warn, info, debug, trace or silent. */
  readonly logLevel: string;
  /** True if embedded engines were requested explicitly. Otherwise production refuses them. */
  readonly embeddedByName: boolean;
  /** Connections to the engines of a cluster. Absent if the process keeps everything in its data folder. */
  readonly remote?: RemoteEngines;
  /** Where health and metrics are served; absent if the environment was not read. */
  readonly management?: ManagementConfig;
  /** Where traces are sent; null or absent if nothing is traced. */
  readonly tracing?: TracingConfig | null;
  /**
   * For tests: where this process kills itself, such as `before:OrderPlaced` or `after:HoldPlaced:2`. Otherwise null.
   */
  readonly failpoint: string | null;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const RUNTIME_SETTINGS: readonly Setting[] = [
  { name: 'PORT', meaning: 'port of the gateway', default: '3000' },
  { name: 'PONTE_DATA_DIR', meaning: 'folder of the embedded engines', default: '.ponte' },
  {
    name: 'PONTE_ENVIRONMENT',
    meaning: 'sandbox or production; a process of a cluster requires it',
    default: 'sandbox',
  },
  {
    name: 'PONTE_ENGINES',
    meaning: '`embedded`: keep everything in the data folder; in production it must be set explicitly',
    default: 'embedded in the sandbox',
  },
  { name: 'PONTE_LOG_LEVEL', meaning: `log level: ${LOG_LEVELS.join(', ')}`, default: 'info' },
  ...REMOTE_SETTINGS,
  ...MANAGEMENT_SETTINGS,
  ...TRACING_SETTINGS,
  {
    name: 'PONTE_FAILPOINT',
    meaning: 'for tests only: where the process kills itself; refused in production',
    default: '',
  },
];

const MAX_PORT = 65_535;

const read = (env: Variables) => new SettingsReader(RUNTIME_SETTINGS, env);

export const readEnvironment = (env: Variables): Environment =>
  read(env).oneOf('PONTE_ENVIRONMENT', ['sandbox', 'production']);

/** The level of the log while other settings may be wrong. */
export const logLevelOf = (env: Variables): string =>
  LOG_LEVELS.find((level) => level === env['PONTE_LOG_LEVEL']) ?? 'warn';

/** Reads the settings that every process has. Throws an error that names each invalid variable. */
export function readRuntime(env: Variables): Runtime {
  const settings = read(env);
  const environment = readEnvironment(env);
  const {
    engines,
    isStated: _,
    ...rest
  } = readEach({
    environment: () => environment,
    port: () => settings.wholeNumber('PORT', 0, MAX_PORT),
    dataDirectory: () => resolve(settings.text('PONTE_DATA_DIR')),
    logLevel: () => settings.oneOf('PONTE_LOG_LEVEL', LOG_LEVELS),
    embeddedByName: () => settings.optional('PONTE_ENGINES') === 'embedded',
    failpoint: () => settings.optional('PONTE_FAILPOINT'),
    management: () => readManagement(env),
    tracing: () => readTracing(env),
    engines: () => readRemoteEngines(env, environment),
    // A sandbox by default would serve production data without the checks of production.
    isStated: () => {
      if (env['ESDB_URL'] && !env['PONTE_ENVIRONMENT'])
        throw new Error('PONTE_ENVIRONMENT must be set to sandbox or production for a process of a cluster');
    },
  });
  return { ...rest, ...engines };
}
