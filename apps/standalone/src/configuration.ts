import type { Setting } from '@ponte/kernel';
import { RUNTIME_SETTINGS } from '@ponte/nest';
import type { ServiceSettings } from '@ponte/nest';
import { GATEWAY } from '../../gateway/src/gateway.config';
import { LEDGER } from '../../ledger/src/ledger.config';
import { MOVEMENTS } from '../../movements/src/movements.config';
import { ONBOARDING } from '../../onboarding/src/onboarding.config';
import { ORDERS } from '../../orders/src/orders.config';
import { PRICING } from '../../pricing/src/pricing.config';

/** The services that have settings of their own. */
export const SERVICE_SETTINGS: Readonly<Record<string, ServiceSettings>> = {
  gateway: GATEWAY,
  onboarding: ONBOARDING,
  pricing: PRICING,
  orders: ORDERS,
  movements: MOVEMENTS,
  ledger: LEDGER,
};

/** Every environment variable, grouped by the service that reads it. */
export const SETTINGS: Readonly<Record<string, readonly Setting[]>> = {
  'Every process': RUNTIME_SETTINGS,
  ...Object.fromEntries(Object.entries(SERVICE_SETTINGS).map(([service, { declared }]) => [service, declared])),
};

const cell = (text: string): string => text.replaceAll('|', '\\|');
const row = ({ name, meaning, default: value }: Setting): string =>
  `| \`${name}\` | ${cell(meaning)} | ${value === '' ? '' : cell(value)} |`;

/** Generates `docs/configuration.md` from the settings that the code reads. */
export function configurationDocument(): string {
  const parts = Object.entries(SETTINGS).map(
    ([reader, settings]) =>
      `## ${reader}\n\n| variable | meaning | default |\n|---|---|---|\n${settings.map(row).join('\n')}\n`,
  );
  return [
    '# Configuration',
    '',
    'Each process reads its environment once, at start-up, before it opens anything. If values are missing or ' +
      'invalid, it exits with one error that names all of them (only an invalid `PONTE_ENVIRONMENT` is reported ' +
      'alone, because the rules for the others depend on it). `standalone` reads all variables.',
    '',
    'A variable that begins like a setting of the process (`PONTE_`, `LEDGER_`, …) but has no meaning to it is ' +
      'ignored. The process logs one warning that lists all such variables, each with the setting that was probably ' +
      'meant. Addresses of services that Kubernetes sets (`PONTE_GATEWAY_SERVICE_HOST`) and variables of clients ' +
      '(`PONTE_API_KEY`) are not listed.',
    '',
    'Written from the code by `npm run docs`.',
    '',
    parts.join('\n'),
  ].join('\n');
}
