import type { Setting } from '@ponte/kernel';
import { RUNTIME_SETTINGS } from '@ponte/nest';
import { GATEWAY_VARIABLES } from '../../gateway/src/gateway.config';
import { LEDGER_VARIABLES } from '../../ledger/src/ledger.config';
import { MOVEMENTS_SETTINGS } from '../../movements/src/movements-variables.config';
import { CHECKS_SETTINGS } from '../../onboarding/src/checks.config';
import { ONBOARDING_SETTINGS } from '../../onboarding/src/onboarding.config';
import { ORDERS_SETTINGS } from '../../orders/src/orders.config';
import { PRICING_SETTINGS } from '../../pricing/src/pricing.config';

/** Every environment variable, grouped by the service that reads it. */
export const SETTINGS: Readonly<Record<string, readonly Setting[]>> = {
  'Every process': RUNTIME_SETTINGS,
  gateway: [...GATEWAY_VARIABLES],
  onboarding: [...ONBOARDING_SETTINGS, ...CHECKS_SETTINGS],
  pricing: PRICING_SETTINGS,
  orders: ORDERS_SETTINGS,
  movements: MOVEMENTS_SETTINGS,
  ledger: LEDGER_VARIABLES,
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
    'Each process reads its environment once, at start-up. If values are missing or invalid, it exits with an error ' +
      'that names those that it finds: usually all of a service at once, but first those that every process has. ' +
      '`standalone` reads all variables.',
    'Written from the code by `npm run docs`.',
    '',
    parts.join('\n'),
  ].join('\n');
}
