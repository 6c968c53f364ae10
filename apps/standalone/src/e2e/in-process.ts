import type { Clock } from '@ponte/kernel';
import type { RunningProcess } from '@ponte/nest';
import { bootProcess, openEmbeddedEngines } from '@ponte/nest';
import { temporaryFolder } from '@ponte/testing';
import { configureGateway, createGatewayAdapter, GatewayModule } from '../../../gateway/src/gateway.module';
import { LedgerModule } from '../../../ledger/src/ledger.module';
import { MovementsModule } from '../../../movements/src/movements.module';
import { OnboardingModule } from '../../../onboarding/src/onboarding.module';
import { OrdersModule } from '../../../orders/src/orders.module';
import { PricingModule } from '../../../pricing/src/pricing.module';
import { WebhooksModule } from '../../../webhooks/src/webhooks.module';
import { readySandbox } from '../ready-sandbox';
import type { SandboxFile } from '../sandbox-file';
import type { Env } from './program';

/** Business time that only the test moves on; the machine's own time goes on for leases, tokens and deadlines. */
export class TestClock implements Clock {
  private ahead = 0;

  now(): number {
    return Date.now() + this.ahead;
  }

  /** Puts the clock just past a time, if it is not there yet. */
  pass(iso: string): void {
    this.ahead += Math.max(0, Date.parse(iso) + 1 - this.now());
  }
}

export interface InProcessCluster {
  readonly app: RunningProcess['app'];
  readonly clock: TestClock;
  readonly sandbox: SandboxFile;
  readonly dataDirectory: string;
  close(): Promise<void>;
}

const MODULES = [OnboardingModule, PricingModule, LedgerModule, MovementsModule, OrdersModule, WebhooksModule, GatewayModule.forEnvironment('sandbox')];

/** The whole cluster in the test's own process, for what HTTP cannot do: move business time, and make the bank misbehave. */
export async function startInProcess(env: Env): Promise<InProcessCluster> {
  const folder = temporaryFolder();
  const clock = new TestClock();
  const restore = withEnvironment(env);
  try {
    const opened = await openEmbeddedEngines({ environment: 'sandbox', dataDirectory: folder.path, port: 0, logLevel: 'fatal', embeddedByName: true, failpoint: null }, 'standalone');
    const engines = { ...opened, clock };
    const running = await bootProcess({ engines, modules: MODULES, adapter: createGatewayAdapter(), configure: configureGateway, port: 0, host: '127.0.0.1' });
    const sandbox = await readySandbox({ ...running, engines, baseUrl: `http://127.0.0.1:${running.port}` }, folder.path);
    return {
      app: running.app, clock, sandbox, dataDirectory: folder.path,
      async close() {
        await running.stop();
        folder.remove();
      },
    };
  } finally {
    restore();
  }
}

/** The services read their variables while they are put together, and not again. */
function withEnvironment(env: Env): () => void {
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
  Object.assign(process.env, env);
  return () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
