import { join } from 'node:path';
import type { Provider } from '@nestjs/common';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { instrument } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import { CLOCK, LOGGER, METRICS, PERSONAL_DATA, RUNTIME, SYSTEM_CLOCK, TRACING } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import { portTraces } from '@ponte/observability';
import type { Logger } from 'pino';
import type { LedgerSettings } from '../ledger-settings.port';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import { countedCalls } from '../payouts/counted-calls';
import { openBankClient } from '../payouts/open-bank-client.adapter';
import { ApiPix } from './adapters/api-pix.pix-charges.adapter';
import { ApiPixNotices } from './adapters/api-pix.pix-notices.adapter';
import { SimulatedBank } from './adapters/simulated.pix-charges.adapter';
import { ClosePixChargeHandler } from './close-pix-charge.command';
import { Charges } from './charges.repository';
import { GetChargeHandler } from './get-charge.query';
import { ListOverdueChargesHandler } from './list-overdue-charges.query';
import { MalformedIds } from './malformed-ids.service';
import { OpenPixChargeHandler } from './open-pix-charge.command';
import type { PixCharges, PixNotices } from './pix-charges.port';
import { PIX_CHARGES, PIX_NOTICES } from './pix-charges.port';
import type { PixPayer } from './pix-payer.port';
import { PIX_PAYER } from './pix-payer.port';
import { PollReceivedPixHandler } from './poll-received-pix.command';
import { ReceivePixHandler } from './receive-pix.command';
import { ReturnChargePaymentHandler } from './return-charge-payment.command';
import { SimulatePixPaymentHandler } from './simulate-pix-payment.command';
import { UnrecordedReturns } from './unrecorded-returns.service';

/** The bank calls that are traced and counted. */
const PIX_CALLS = [
  'putCharge',
  'getCharge',
  'removeCharge',
  'getReceived',
  'listReceived',
  'listTakenBack',
  'requestReturn',
  'getReturn',
] as const;

const PIX_BANK = Symbol('PixBank');

/** The bank that receives Pix, simulated or real. Nest closes it when the process stops. */
interface PixBank {
  readonly charges: PixCharges;
  readonly notices: PixNotices;
  readonly payer: PixPayer | null;
  onApplicationShutdown(): void | Promise<void>;
}

function openBank(
  { dataDirectory }: Runtime,
  clock: Clock,
  systemClock: Clock,
  { pixBank, pixKey: key, payloadHost: host }: LedgerSettings,
  personalData: PersonalData,
  unrecorded: UnrecordedReturns,
  logger: Logger,
  metrics: Metrics,
): PixBank {
  if (pixBank === null) {
    const bank = new SimulatedBank({ file: join(dataDirectory, 'pix-bank.db'), clock, personalData, key, host });
    return {
      charges: bank,
      notices: { listen: async (listener) => bank.listen(listener), register: async () => undefined },
      payer: bank,
      onApplicationShutdown: () => bank.onApplicationShutdown(),
    };
  }
  const client = openBankClient(pixBank, 'pix-bank', pixBank.scope, systemClock, metrics);
  const { callbacks } = pixBank;
  const notices =
    callbacks &&
    new ApiPixNotices(client, {
      ...callbacks,
      key,
      token: personalData.fingerprint('pix-callback', key),
      warn: (facts) => logger.warn(facts, 'a callback of the bank was rejected'),
    });
  const charges = new ApiPix(client, {
    key,
    listDays: pixBank.listDays,
    now: () => clock.now(),
    unrecorded: (why, endToEndId, latest) => unrecorded.report(why, endToEndId, latest),
  });
  return {
    charges,
    notices: notices ?? { listen: async () => undefined, register: async () => undefined },
    payer: null,
    onApplicationShutdown: async () => {
      await notices?.close();
      await client.close();
    },
  };
}

/** The providers of Pix charges and received Pix. */
export const PIX_CHARGE_PROVIDERS: readonly Provider[] = [
  UnrecordedReturns,
  {
    provide: PIX_BANK,
    useFactory: openBank,
    inject: [RUNTIME, CLOCK, SYSTEM_CLOCK, LEDGER_SETTINGS, PERSONAL_DATA, UnrecordedReturns, LOGGER, METRICS],
  },
  {
    provide: PIX_CHARGES,
    inject: [PIX_BANK, TRACING, METRICS],
    useFactory: ({ charges }: PixBank, tracing: Tracing, metrics: Metrics): PixCharges =>
      instrument(charges, [
        portTraces('bank', PIX_CALLS, {}, tracing),
        countedCalls('ponte_pix_calls_total', PIX_CALLS, metrics),
      ]),
  },
  {
    provide: PIX_NOTICES,
    inject: [PIX_BANK, TRACING, METRICS],
    useFactory: ({ notices }: PixBank, tracing: Tracing, metrics: Metrics): PixNotices =>
      instrument(notices, [
        portTraces('bank', ['register'], {}, tracing),
        countedCalls('ponte_pix_calls_total', ['register'], metrics),
      ]),
  },
  {
    provide: PIX_PAYER,
    useFactory: ({ payer }: PixBank, { environment }: Runtime) => (environment === 'sandbox' ? payer : null),
    inject: [PIX_BANK, RUNTIME],
  },
  Charges,
  MalformedIds,
  OpenPixChargeHandler,
  ClosePixChargeHandler,
  ReturnChargePaymentHandler,
  ReceivePixHandler,
  PollReceivedPixHandler,
  SimulatePixPaymentHandler,
  GetChargeHandler,
  ListOverdueChargesHandler,
];
