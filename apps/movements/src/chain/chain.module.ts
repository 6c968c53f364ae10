import type { Provider } from '@nestjs/common';
import { LOGGER, METRICS, RUNTIME, TRACING } from '@ponte/nest';
import type { Runtime } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import type { Logger } from 'pino';
import { formerKeyIds, MAX_OPERATOR_KEYS, operatorKeyIds, SETTINGS } from '../movements-settings.port';
import type { MovementsSettings } from '../movements-settings.port';
import {
  LEDGER_LAG_MS,
  LIQUIDITY_MS,
  FEE_LIMITS,
  RAISE_FEE_MS,
  RECONCILE_MS,
  SCREEN_AGAIN_MS,
  TRANSFERS_PER_DAY,
  readMovementsConfig,
} from '../movements.config';
import type { MovementsConfig } from '../movements.config';
import { SIGNER } from '../signer/signer.port';
import { openChains } from './adapters/open-chains';
import type { OpenChains } from './adapters/open-chains';
import { tracedChains } from './adapters/traced.served-chains.adapter';
import { GetChainsHandler, GetSharePriceHandler } from './chain.queries';
import { SERVED_CHAINS } from './served-chains.port';

/** The settings of this process; tests replace them. */
export const MOVEMENTS_CONFIG = Symbol('MovementsConfig');
export const OPEN_CHAINS = Symbol('OpenChains');

/** The chains, the signer and the settings, as configured. */
export const CHAIN_PROVIDERS: Provider[] = [
  {
    provide: MOVEMENTS_CONFIG,
    useFactory: (runtime: Runtime) => readMovementsConfig(process.env, runtime.environment),
    inject: [RUNTIME],
  },
  {
    provide: OPEN_CHAINS,
    useFactory: (
      { chains: which, keystore, formerKeys, operatorKeys, signerLimits: limits }: MovementsConfig,
      { dataDirectory: folder, environment }: Runtime,
      metrics: Metrics,
      logger: Logger,
    ) =>
      openChains({
        which,
        folder,
        keystore,
        formerKeys,
        limits,
        environment,
        operatorKeyIds: operatorKeyIds(MAX_OPERATOR_KEYS),
        usedKeyIds: operatorKeyIds(operatorKeys),
        observing: { metrics, logger },
      }),
    inject: [MOVEMENTS_CONFIG, RUNTIME, METRICS, LOGGER],
  },
  {
    provide: SERVED_CHAINS,
    useFactory: ({ chains }: OpenChains, tracing: Tracing) => tracedChains(chains, tracing),
    inject: [OPEN_CHAINS, TRACING],
  },
  { provide: SIGNER, useFactory: ({ signer }: OpenChains) => signer, inject: [OPEN_CHAINS] },
  {
    provide: SETTINGS,
    useFactory: (
      {
        pollMs,
        operatorKeys,
        formerKeys = [],
        feeLimits = FEE_LIMITS,
        raiseFeeMs = RAISE_FEE_MS,
        reconcileMs = RECONCILE_MS,
        ledgerLagMs = LEDGER_LAG_MS,
        liquidityMs = LIQUIDITY_MS,
        screenAgainMs = SCREEN_AGAIN_MS,
        minimumAmounts = {},
        transfersPerDay = TRANSFERS_PER_DAY,
      }: MovementsConfig,
      { forget: chainsForget }: OpenChains,
    ): MovementsSettings => ({
      operatorKeyIds: operatorKeyIds(operatorKeys),
      heldKeyIds: [...operatorKeyIds(operatorKeys), ...formerKeyIds(formerKeys)],
      pollMs,
      chainsForget,
      feeLimits,
      raiseFeeAfterMs: raiseFeeMs,
      reconcileMs,
      ledgerLagMs,
      liquidityMs,
      screenAgainMs,
      minimumAmounts,
      transfersPerDay,
    }),
    inject: [MOVEMENTS_CONFIG, OPEN_CHAINS],
  },
  GetChainsHandler,
  GetSharePriceHandler,
];
