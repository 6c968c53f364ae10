import type { Setting, Variables } from '@ponte/kernel';
import type { Environment } from '@ponte/nest';
import { readEach, SettingsReader } from '@ponte/kernel';
import { BLOBS_SETTINGS, LIVENESS_PROVIDERS_SETTING, readLivenessProviders } from '@ponte/nest';
import type { LivenessVendorSettings, ScreeningVendorSettings } from './checks.vendors';
import { livenessVendors, screeningVendor } from './checks.vendors';
import { isOwnList } from './screening/own-lists.domain';

/** The settings of the person checks and of the evidence files. */
export const CHECKS_SETTINGS: readonly Setting[] = [
  {
    name: 'SCREENING_LISTS',
    meaning:
      'files in the XML format of the UN consolidated list: comma-separated name=path; a list of politically exposed ' +
      'people is called `pep` or `pep-…`; required in production without a vendor',
    default: 'fictitious lists',
  },
  // With 80, staff still review an exact name with another birth date (85) and a name without its two middle names
  // (85).
  { name: 'SCREENING_THRESHOLD', meaning: 'lowest score that makes a match a hit, 50 to 100', default: '80' },
  { name: 'SCREENING_LISTS_MS', meaning: 'milliseconds between two checks for changed lists', default: '60000' },
  {
    name: 'SCREENING_VENDOR',
    meaning:
      'JSON object of a screening vendor, used in addition to the lists: url, headers, fields, lists, best-score, callback',
    default: '',
  },
  {
    name: 'LIVENESS_VENDORS',
    meaning:
      'JSON list of liveness providers: name, result-url, headers, fields, passed, failed, callback; required in production; with [] staff review everything',
    default: 'simulated',
  },
  {
    name: 'VENDOR_CALLBACKS_LISTEN',
    meaning: 'host:port that receives signed callbacks: /callbacks/screening and /callbacks/liveness/<provider>',
    default: '',
  },
  { name: 'VENDOR_TIMEOUT_MS', meaning: 'timeout in milliseconds for one request to a vendor', default: '10000' },
  LIVENESS_PROVIDERS_SETTING,
  ...BLOBS_SETTINGS,
];

export interface ChecksConfig {
  /** Empty if the built-in lists are used, or no list besides a vendor. */
  readonly lists: readonly { readonly name: string; readonly path: string }[];
  readonly builtInLists: boolean;
  readonly threshold: number;
  readonly listsEveryMs: number;
  readonly screeningVendor: ScreeningVendorSettings | null;
  /** Null for the simulator. */
  readonly livenessVendors: readonly LivenessVendorSettings[] | null;
  readonly callbacks: { readonly host: string; readonly port: number } | null;
  readonly vendorTimeoutMs: number;
}

/** Reads the settings from the environment. An error names the variable but never quotes its value. */
export function readChecksConfig(env: Variables, environment: Environment): ChecksConfig {
  const settings = new SettingsReader(CHECKS_SETTINGS, env);
  const isProduction = environment === 'production';
  const readLists = () => listsOf(settings.optional('SCREENING_LISTS') ?? '');
  const {
    lists,
    screeningVendor: vendor,
    livenessVendors: liveness,
    ...rest
  } = readEach({
    lists: readLists,
    screeningVendor: () => {
      const json = settings.optional('SCREENING_VENDOR');
      if (isProduction && json === null && readLists().length === 0)
        throw new Error('SCREENING_LISTS or SCREENING_VENDOR must be set in production');
      return json === null ? null : screeningVendor('SCREENING_VENDOR', json);
    },
    livenessVendors: () => {
      const json = settings.optional('LIVENESS_VENDORS');
      if (isProduction && json === null)
        throw new Error('LIVENESS_VENDORS must be set in production; [] means no vendors');
      return json === null ? null : livenessVendors('LIVENESS_VENDORS', json);
    },
    callbacks: () => settings.listenAddress('VENDOR_CALLBACKS_LISTEN'),
    threshold: () => settings.wholeNumber('SCREENING_THRESHOLD', 50, 100),
    listsEveryMs: () => settings.wholeNumber('SCREENING_LISTS_MS', 100, 86_400_000),
    vendorTimeoutMs: () => settings.wholeNumber('VENDOR_TIMEOUT_MS', 100, 120_000),
  });
  assertNamesMatch(readLivenessProviders(env), liveness ?? []);
  const isAnybodySending = [vendor, ...(liveness ?? [])].some((one) => one?.callback);
  if (isAnybodySending && !rest.callbacks)
    throw new Error('VENDOR_CALLBACKS_LISTEN must be set when a vendor sends callbacks');
  return {
    lists,
    screeningVendor: vendor,
    livenessVendors: liveness,
    builtInLists: lists.length === 0 && environment === 'sandbox',
    ...rest,
  };
}

/**
 * A provider name accepted by the gateway without a vendor here would leave its requests waiting for a day. A vendor
 * without such a name is a mistake too.
 */
function assertNamesMatch(names: readonly string[], vendors: readonly LivenessVendorSettings[]): void {
  if (vendors.length === 0) return;
  const unserved = names.filter((name) => !vendors.some((vendor) => vendor.name === name));
  const unnamed = vendors.map(({ name }) => name).filter((name) => !names.includes(name));
  if (unserved.length > 0)
    throw new Error(`LIVENESS_VENDORS has no vendor for ${unserved.join(', ')} of PONTE_LIVENESS_PROVIDERS`);
  if (unnamed.length > 0) throw new Error(`PONTE_LIVENESS_PROVIDERS lacks ${unnamed.join(', ')} of LIVENESS_VENDORS`);
}

function listsOf(text: string): ChecksConfig['lists'] {
  const lists = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [, name, path] = /^([a-z0-9][a-z0-9-]{0,39})=(.+)$/.exec(pair) ?? [];
      if (name === undefined || path === undefined)
        throw new Error(
          'SCREENING_LISTS must be comma-separated name=path; names have lower-case letters, digits and hyphens',
        );
      return { name, path };
    });
  if (new Set(lists.map(({ name }) => name)).size !== lists.length)
    throw new Error('SCREENING_LISTS must not repeat a name');
  const own = lists.find(({ name }) => isOwnList(name));
  if (own) throw new Error(`SCREENING_LISTS must not name a list ${own.name}, which has another meaning in hits`);
  return lists;
}
