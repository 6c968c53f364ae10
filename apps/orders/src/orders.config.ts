import type { Setting, Variables } from '@ponte/kernel';
import type { ServiceSettings } from '@ponte/nest';
import { readEach, SettingsReader } from '@ponte/kernel';
import type { OrdersSettings } from './order/orders-settings.port';

/** The environment variables that this service reads. */
export const ORDERS_SETTINGS: readonly Setting[] = [
  {
    name: 'ORDERS_BRCODE_SECONDS',
    meaning: 'seconds from acceptance to the expiration of a brcode for BRL→BRLV',
    default: '900',
  },
  {
    name: 'ORDERS_FX_BRCODE_SECONDS',
    meaning:
      'seconds from acceptance to the expiration of a brcode for an FX order, unless its rate lock ends earlier; ' +
      'not less than ORDERS_MINIMUM_BRCODE_SECONDS',
    default: '300',
  },
  {
    name: 'ORDERS_MINIMUM_BRCODE_SECONDS',
    meaning: 'an FX order by brcode is refused when fewer seconds than this remain to pay it',
    default: '60',
  },
  {
    name: 'ORDERS_FORGOTTEN_SECONDS',
    meaning: 'age in seconds at which a hold that no order uses is released',
    default: '60',
  },
  {
    name: 'ORDERS_SETTLEMENT_RETRY_SECONDS',
    meaning: 'seconds after which the settlement of a processing order that has no transaction is requested again',
    default: '300',
  },
];

const MAX_SECONDS = 86_400;

/**
 * Reads the settings. Throws an error that names the variables that are not whole numbers from 1 to 86,400. With a time
 * to pay below the minimum, every FX order by Pix code would be refused.
 */
export function readOrdersConfig(env: Variables): OrdersSettings {
  const settings = new SettingsReader(ORDERS_SETTINGS, env);
  const seconds = (name: string): number => settings.wholeNumber(name, 1, MAX_SECONDS);
  const read = readEach({
    brcodeSeconds: () => seconds('ORDERS_BRCODE_SECONDS'),
    fxBrcodeSeconds: () => seconds('ORDERS_FX_BRCODE_SECONDS'),
    minimumBrcodeSeconds: () => seconds('ORDERS_MINIMUM_BRCODE_SECONDS'),
    forgottenSeconds: () => seconds('ORDERS_FORGOTTEN_SECONDS'),
    settlementRetrySeconds: () => seconds('ORDERS_SETTLEMENT_RETRY_SECONDS'),
  });
  if (read.fxBrcodeSeconds < read.minimumBrcodeSeconds)
    throw new Error('ORDERS_FX_BRCODE_SECONDS must not be less than ORDERS_MINIMUM_BRCODE_SECONDS');
  return read;
}

/** All settings of orders, for the check at the start of its process. */
export const ORDERS: ServiceSettings = { declared: ORDERS_SETTINGS, read: readOrdersConfig };
