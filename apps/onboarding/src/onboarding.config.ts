import type { Sector } from '@ponte/contracts';
import { SECTORS } from '@ponte/contracts';
import type { Setting, Variables } from '@ponte/kernel';
import type { Environment, ServiceSettings } from '@ponte/nest';
import { readEach, SettingsReader } from '@ponte/kernel';
import { readBlobsConfig } from '@ponte/nest';
import { CHECKS_SETTINGS, readChecksConfig } from './checks.config';
import type { OnboardingSettings } from './onboarding-settings.port';

const HIGH_RISK = 'gambling,weapons,adult,mining,remittances,crypto,art,tcsp,scrap,factoring';

export const ONBOARDING_SETTINGS: readonly Setting[] = [
  {
    name: 'ONBOARDING_HIGH_RISK_SECTORS',
    meaning: 'comma-separated sectors whose requests need two approvers',
    default: HIGH_RISK,
  },
  {
    name: 'ONBOARDING_DUE_MS',
    meaning:
      'milliseconds between two passes over requests that expire, wait for a vendor, or were interrupted by a crash',
    default: '5000',
  },
  {
    name: 'ONBOARDING_SCREEN_AGAIN_MS',
    meaning: 'milliseconds between two passes that screen people again, each of at most 200 requests or accounts',
    default: '10000',
  },
  {
    name: 'ONBOARDING_MAX_UNREFERENCED_FILES',
    meaning: 'largest number of files of one partner that no request references',
    default: '1000',
  },
  {
    name: 'ONBOARDING_ORPHAN_HOURS',
    meaning: 'hours after which the bytes of an unregistered upload are deleted',
    default: '24',
  },
  { name: 'ONBOARDING_SWEEP_MS', meaning: 'milliseconds between two sweeps for such bytes', default: '3600000' },
  {
    name: 'ONBOARDING_RETENTION_YEARS',
    meaning:
      'years for which records are kept after everything that names the person has ended; until then an erasure only restricts access',
    default: '10',
  },
];

/** Reads the settings from the environment. Throws an error that names the variable if a value is invalid. */
export function readOnboardingConfig(env: Variables, environment: Environment): OnboardingSettings {
  const settings = new SettingsReader(ONBOARDING_SETTINGS, env);
  return readEach({
    environment: () => environment,
    highRiskSectors: () =>
      (env['ONBOARDING_HIGH_RISK_SECTORS'] ?? HIGH_RISK)
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map(sector),
    dueEveryMs: () => settings.wholeNumber('ONBOARDING_DUE_MS', 10, 3_600_000),
    screenAgainEveryMs: () => settings.wholeNumber('ONBOARDING_SCREEN_AGAIN_MS', 10, 3_600_000),
    maxUnreferencedFiles: () => settings.wholeNumber('ONBOARDING_MAX_UNREFERENCED_FILES', 1, 1_000_000),
    orphanHours: () => settings.wholeNumber('ONBOARDING_ORPHAN_HOURS', 1, 24 * 365),
    sweepEveryMs: () => settings.wholeNumber('ONBOARDING_SWEEP_MS', 10, 7 * 86_400_000),
    retentionYears: () => settings.wholeNumber('ONBOARDING_RETENTION_YEARS', 0, 100),
  });
}

/** All settings of onboarding, for the check at the start of its process. */
export const ONBOARDING: ServiceSettings = {
  declared: [...ONBOARDING_SETTINGS, ...CHECKS_SETTINGS],
  read: (env, environment) =>
    readEach({
      requests: () => readOnboardingConfig(env, environment),
      checks: () => readChecksConfig(env, environment),
      blobs: () => readBlobsConfig(env),
    }),
};

function sector(name: string): Sector {
  const known = SECTORS.find((one) => one === name);
  if (!known)
    throw new Error(`ONBOARDING_HIGH_RISK_SECTORS must contain only sectors; accepted are ${SECTORS.join(', ')}`);
  return known;
}
