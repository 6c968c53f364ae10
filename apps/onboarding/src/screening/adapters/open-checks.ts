import type { Clock } from '@ponte/kernel';
import type { CallbackServer } from '@ponte/nest';
import type { Timers } from '@ponte/concurrency';
import type { Metrics } from '@ponte/observability';
import { measureLists } from '@ponte/observability';
import { builtInList, fileList } from '@ponte/screening-lists';
import type { Logger } from 'pino';
import type { ChecksConfig } from '../../checks.config';
import type { Liveness, LivenessNotices } from '../../liveness/liveness.port';
import type { Screening, ScreeningNotices } from '../screening.port';
import { HttpLiveness } from '../../liveness/adapters/http.liveness.adapter';
import { SimulatedLiveness } from '../../liveness/adapters/simulated.liveness.adapter';
import { HttpScreening } from './http.screening.adapter';
import { LocalScreening } from './local.screening.adapter';
import { SANDBOX_PEP, SANDBOX_SANCTIONS } from './sandbox-lists';
import { severalScreenings } from './several.screening.adapter';
import type { VendorRoute } from '../../vendor/adapters/callback-server';
import { serveVendorCallbacks } from '../../vendor/adapters/callback-server';

interface ChecksEngines {
  /** Business time, for the simulator. */
  readonly clock: Clock;
  readonly systemClock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Checks {
  readonly screening: Screening;
  readonly screeningNotices: ScreeningNotices | null;
  readonly liveness: Liveness;
  readonly livenessNotices: LivenessNotices;
  /** Starts the callback server. Call it once the notices have a listener. Undefined if no vendor sends callbacks. */
  serve(): Promise<CallbackServer | undefined>;
}

/** Opens all checks of a person as configured. Throws if a list is missing or broken. */
export async function openChecks(config: ChecksConfig, engines: ChecksEngines): Promise<Checks> {
  const vendor = vendorOf(config, engines.logger);
  const local = await localOf(config, engines);
  const all = [local, vendor].filter((one) => one !== undefined);
  const liveness = livenessOf(config, engines);
  const routes = [
    ...(vendor?.routes('/callbacks/screening') ?? []),
    ...(liveness instanceof HttpLiveness ? liveness.routes('/callbacks/liveness') : []),
  ];
  return {
    screening: all.length === 1 && all[0] ? all[0] : severalScreenings(...all),
    screeningNotices: vendor ?? null,
    liveness,
    livenessNotices: liveness,
    serve: () => serve(config, routes, engines),
  };
}

async function serve(
  { callbacks }: ChecksConfig,
  routes: readonly VendorRoute[],
  { systemClock, logger }: ChecksEngines,
): Promise<CallbackServer | undefined> {
  if (!callbacks || routes.length === 0) return undefined;
  return serveVendorCallbacks({
    ...callbacks,
    routes,
    now: systemClock.now,
    warn: (facts) => logger.warn(facts, 'a vendor callback was rejected'),
  });
}

function vendorOf(
  { screeningVendor, threshold, vendorTimeoutMs }: ChecksConfig,
  logger: Logger,
): HttpScreening | undefined {
  if (!screeningVendor) return undefined;
  return new HttpScreening({
    ...screeningVendor,
    threshold,
    timeoutMs: vendorTimeoutMs,
    warn: (reason) => logger.warn({ reason }, 'a request to the screening vendor failed'),
  });
}

async function localOf(
  config: ChecksConfig,
  { systemClock, timers, logger, metrics }: ChecksEngines,
): Promise<LocalScreening | undefined> {
  const { lists: files, builtInLists, threshold, listsEveryMs } = config;
  const lists = builtInLists
    ? [builtInList('un-consolidated', SANDBOX_SANCTIONS), builtInList('pep', SANDBOX_PEP)]
    : files.map(({ name, path }) => fileList(name, path));
  if (lists.length === 0) return undefined;
  const screening = await LocalScreening.open({ lists, threshold });
  screening.start(timers, listsEveryMs, logger);
  measureLists(metrics, systemClock.now, () => screening.inUse());
  return screening;
}

function livenessOf(
  { livenessVendors, vendorTimeoutMs }: ChecksConfig,
  { clock, systemClock, logger }: ChecksEngines,
): HttpLiveness | SimulatedLiveness {
  if (livenessVendors === null) return new SimulatedLiveness(clock);
  const warn = (provider: string, reason: string): void =>
    logger.warn({ provider, reason }, 'a request to a liveness provider failed');
  return new HttpLiveness({ vendors: livenessVendors, timeoutMs: vendorTimeoutMs, now: systemClock.now, warn });
}
