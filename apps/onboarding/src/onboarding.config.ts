import type { Sector } from '@ponte/contracts';
import { SECTORS } from '@ponte/contracts';
import type { Setting, Variables } from '@ponte/kernel';
import type { Environment } from '@ponte/nest';
import { SettingsReader } from '@ponte/kernel';
import type { OnboardingSettings } from './onboarding-settings.port';

const HIGH_RISK = 'gambling,weapons,adult,mining,remittances,crypto,art,tcsp,scrap,factoring';

export const ONBOARDING_SETTINGS: readonly Setting[] = [
  {
    name: 'ONBOARDING_HIGH_RISK_SECTORS',
    meaning: 'sectors whose requests two approvers decide, with commas between',
    default: HIGH_RISK,
  },
  {
    name: 'ONBOARDING_DUE_MS',
    meaning: 'between two looks at requests that expire, or that a crash left standing',
    default: '5000',
  },
  { name: 'ONBOARDING_MAX_UNREFERENCED_FILES', meaning: 'files of one partner that no request names', default: '1000' },
  {
    name: 'ONBOARDING_ORPHAN_HOURS',
    meaning: 'after which the bytes of an upload that was never registered are deleted',
    default: '24',
  },
  { name: 'ONBOARDING_SWEEP_MS', meaning: 'between two looks for such bytes', default: '3600000' },
  {
    name: 'ONBOARDING_RETENTION_YEARS',
    meaning: 'for which records are kept after the end; until then an erasure restricts',
    default: '10',
  },
];

/** Reads the environment once; a mistake in it stops the start with the variable's name. */
export function readOnboardingConfig(env: Variables, environment: Environment): OnboardingSettings {
  const settings = new SettingsReader(ONBOARDING_SETTINGS, env);
  return {
    environment,
    highRiskSectors: (env['ONBOARDING_HIGH_RISK_SECTORS'] ?? HIGH_RISK)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map(sector),
    dueEveryMs: settings.wholeNumber('ONBOARDING_DUE_MS', 10, 3_600_000),
    maxUnreferencedFiles: settings.wholeNumber('ONBOARDING_MAX_UNREFERENCED_FILES', 1, 1_000_000),
    orphanHours: settings.wholeNumber('ONBOARDING_ORPHAN_HOURS', 1, 24 * 365),
    sweepEveryMs: settings.wholeNumber('ONBOARDING_SWEEP_MS', 10, 7 * 86_400_000),
    retentionYears: settings.wholeNumber('ONBOARDING_RETENTION_YEARS', 0, 100),
  };
}

function sector(name: string): Sector {
  const known = SECTORS.find((one) => one === name);
  if (!known)
    throw new Error(`ONBOARDING_HIGH_RISK_SECTORS names what is no sector; sectors are ${SECTORS.join(', ')}`);
  return known;
}
