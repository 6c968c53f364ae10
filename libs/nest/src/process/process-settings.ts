import type { Setting, Variables } from '@ponte/kernel';
import { CHAINS, editDistance, isDeclared, readEach } from '@ponte/kernel';
import { createLogger } from '../logging';
import type { Environment, Runtime } from './runtime';
import { logLevelOf, readEnvironment, readRuntime, RUNTIME_SETTINGS } from './runtime';

/** What a service reads from the environment. */
export interface ServiceSettings {
  readonly declared: readonly Setting[];
  /** Throws an error that names every setting that is missing or invalid. Opens nothing. */
  readonly read: (env: Variables, environment: Environment) => unknown;
}

/** Addresses of Kubernetes services, which Kubernetes sets in every pod unless `enableServiceLinks` is false. */
const SERVICE_LINK = /_SERVICE_HOST$|_SERVICE_PORT(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const LINKED_PORT = /^(tcp|udp|sctp):\/\//;
/** Variables of the command lines and of the examples in the guides, which may be set in the shell of a sandbox. */
const OF_CLIENTS: ReadonlySet<string> = new Set(
  (
    'ACCOUNT_ID API_KEY BASE_URL CONFIG_DIR CPF DOCUMENT_PHOTO KEY_ALGORITHM KEY_FILE KEY_ID PARTNER_ID PROFILE ' +
    'RECEIVER_URL REPOSITORY STAFF_PASSWORD WEBHOOK_SECRET'
  )
    .split(' ')
    .map((name) => `PONTE_${name}`),
);

/**
 * Reads the settings of a process and checks those of its services, before anything is opened. What is wrong is
 * reported in one error. The services read their settings again when they are created.
 */
export function readProcess(name: string, env: Variables, services: readonly ServiceSettings[]): Runtime {
  const ignored = ignoredVariables(env, [...RUNTIME_SETTINGS, ...services.flatMap(({ declared }) => declared)]);
  if (ignored.length > 0)
    createLogger(name, logLevelOf(env)).warn(
      { ignored },
      'these environment variables are ignored: this process has no settings of these names',
    );
  // The rules for the other settings depend on it.
  const environment = readEnvironment(env);
  const checks = services.map(({ read }, index) => [`${index}`, () => read(env, environment)] as const);
  return readEach({ ...Object.fromEntries(checks), runtime: () => readRuntime(env) }).runtime as Runtime;
}

/**
 * The names of set variables that look like settings of this process but have no meaning to it: they begin with the
 * first word of a setting, such as `PONTE_` or `LEDGER_`. Each is followed by the setting that was probably meant, if
 * there is one.
 */
export function ignoredVariables(env: Variables, declared: readonly Setting[]): readonly string[] {
  const known = declared.flatMap(ofEachChain);
  const names = known.map(({ name }) => name);
  const prefixes = new Set(names.flatMap((name) => /^[A-Z0-9]+_/.exec(name) ?? []));
  return Object.entries(env)
    .filter(([name, value]) => value && prefixes.has(/^[A-Z0-9]+_/.exec(name)?.[0] ?? ''))
    .filter(([name, value = '']) => !SERVICE_LINK.test(name) && !(name.endsWith('_PORT') && LINKED_PORT.test(value)))
    .filter(([name]) => !isDeclared(known, name) && !OF_CLIENTS.has(name))
    .map(([name]) => {
      const meant = nearestName(name, names);
      return meant === undefined ? name : `${name} (${meant}?)`;
    })
    .sort();
}

/** The setting itself, or one for each chain, such as `CHAIN_RPC_ETH_BASE`. */
function ofEachChain(setting: Setting): readonly Setting[] {
  if (!setting.name.includes('<CHAIN>')) return [setting];
  return CHAINS.map((chain) => {
    const word = chain.toUpperCase().replaceAll('-', '_');
    return { ...setting, name: setting.name.replace('<CHAIN>', word) };
  });
}

/** Up to this many letters may be missing, added, different or swapped. */
const MAX_DIFFERENCES = 2;

/** The most similar of the names, if it is similar enough to be what was meant. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .filter((known) => Math.abs(known.length - name.length) <= MAX_DIFFERENCES)
    .map((known) => ({ known, differences: editDistance(name, known) }))
    .filter(({ differences }) => differences <= MAX_DIFFERENCES)
    .sort((one, other) => one.differences - other.differences);
  return nearest?.known;
}
