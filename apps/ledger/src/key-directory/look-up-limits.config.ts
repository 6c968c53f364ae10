import type { Setting, SettingsReader } from '@ponte/kernel';
import type { Environment } from '@ponte/nest';
import type { LedgerSettings, LookUpLimit } from '../ledger-settings.port';
import { UNKNOWN_KEY_TOKENS } from '../ledger-settings.port';

/** Limits of look-ups of Pix keys. The sandbox has none unless it is set. */
export const LOOK_UP_LIMITS: Setting = {
  name: 'LEDGER_PIX_KEY_LOOK_UPS',
  meaning:
    'look-ups of Pix keys that requests of clients may cause: comma-separated `account=per-minute/burst` and ' +
    "`partner=per-minute/burst` (a partner's account and its sub-accounts together), 1 to 1000000 per minute and a " +
    `burst of ${UNKNOWN_KEY_TOKENS} to 1000000; one that is not listed has no limit. An unknown key counts as ` +
    `${UNKNOWN_KEY_TOKENS} look-ups, one that is paid does not count; the sandbox has no limit by default`,
  default: 'account=20/1000,partner=100/5000',
};

const MAX_TOKENS = 1_000_000;

/** Throws an error that names the variable if its value is invalid. */
export function readLookUpLimits(settings: SettingsReader, environment: Environment): LedgerSettings['pixKeyLookUps'] {
  const { name } = LOOK_UP_LIMITS;
  if (environment === 'sandbox' && settings.optional(name) === null) return {};
  return Object.fromEntries(settings.list(name).map((word) => [word.split('=')[0], limitIn(word)]));
}

function limitIn(word: string): LookUpLimit {
  const [, perMinute, burst] = /^(?:account|partner)=(\d{1,7})\/(\d{1,7})$/.exec(word) ?? [];
  const limit = { perMinute: Number(perMinute), burst: Number(burst) };
  const isValid =
    limit.perMinute >= 1 &&
    limit.perMinute <= MAX_TOKENS &&
    limit.burst >= UNKNOWN_KEY_TOKENS &&
    limit.burst <= MAX_TOKENS;
  if (isValid) return limit;
  throw new Error(
    `${LOOK_UP_LIMITS.name}: ${word} is not account=per-minute/burst or partner=per-minute/burst with 1 to ${MAX_TOKENS} ` +
      `per minute and a burst of ${UNKNOWN_KEY_TOKENS} to ${MAX_TOKENS}`,
  );
}
