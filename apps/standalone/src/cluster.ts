import type { EngineOverrides, Engines, RunningProcess, Runtime } from '@ponte/nest';
import { bootProcess, openEmbeddedEngines } from '@ponte/nest';
import { configureGateway, createGatewayAdapter, GatewayModule } from '../../gateway/src/gateway.module';
import { LedgerModule } from '../../ledger/src/ledger.module';
import { MovementsModule } from '../../movements/src/movements.module';
import { OnboardingModule } from '../../onboarding/src/onboarding.module';
import { OrdersModule } from '../../orders/src/orders.module';
import { PricingModule } from '../../pricing/src/pricing.module';
import { ALL_READ_MODELS } from './cluster.read-models';
import { WebhooksModule } from '../../webhooks/src/webhooks.module';

/** The embedded cluster listens only on its own machine. */
const LOOPBACK = '127.0.0.1';

export interface RunningCluster extends RunningProcess {
  readonly engines: Engines;
  readonly baseUrl: string;
}

/** Starts all services in this process with the embedded engines. A benchmark or test may replace single engines. */
export async function startCluster(runtime: Runtime, overrides: EngineOverrides = {}): Promise<RunningCluster> {
  const engines = await openEmbeddedEngines(runtime, 'standalone', overrides);
  const running = await bootProcess({
    engines,
    modules: [
      OnboardingModule,
      PricingModule,
      LedgerModule,
      MovementsModule,
      OrdersModule,
      WebhooksModule,
      GatewayModule.forEnvironment(runtime.environment),
    ],
    readModels: ALL_READ_MODELS,
    adapter: createGatewayAdapter(),
    configure: configureGateway,
    port: runtime.port,
    host: LOOPBACK,
  });
  return { ...running, engines, baseUrl: `http://${LOOPBACK}:${running.port}` };
}
