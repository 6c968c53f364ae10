import type { Sector } from '@ponte/contracts';
import type { Environment } from '@ponte/nest';

/** What operators decide about onboarding. */
export interface OnboardingSettings {
  readonly environment: Environment;
  /** Sectors that need four eyes. */
  readonly highRiskSectors: readonly Sector[];
  /** Between two looks of the timer at what is due, in milliseconds. */
  readonly dueEveryMs: number;
  /** Files of one parent that no request names. */
  readonly maxUnreferencedFiles: number;
  /** Bytes that were stored and never registered lie so long, at least. */
  readonly orphanHours: number;
  /** Between two looks for such bytes, in milliseconds. */
  readonly sweepEveryMs: number;
  /** Records stay so long after the end of what they are about. */
  readonly retentionYears: number;
}

export const ONBOARDING_SETTINGS_OF = Symbol('OnboardingSettings');
