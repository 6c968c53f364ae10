import type { Sector } from '@ponte/contracts';
import type { Environment } from '@ponte/nest';

export interface OnboardingSettings {
  readonly environment: Environment;
  /** Sectors whose requests need four eyes. */
  readonly highRiskSectors: readonly Sector[];
  /** Milliseconds between two passes of the timer over due work. */
  readonly dueEveryMs: number;
  /** Milliseconds between two passes that screen people again. */
  readonly screenAgainEveryMs: number;
  /** The largest number of unreferenced files per parent. */
  readonly maxUnreferencedFiles: number;
  /** How long stored bytes without a registration are kept at least, in hours. */
  readonly orphanHours: number;
  /** Milliseconds between two sweeps for such bytes. */
  readonly sweepEveryMs: number;
  /** How many years records are kept after the end of what they are about. */
  readonly retentionYears: number;
}

export const ONBOARDING_SETTINGS_OF = Symbol('OnboardingSettings');
