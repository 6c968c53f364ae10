import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Engines, Environment } from '@ponte/nest';
import { bootProcess, openEmbeddedEngines } from '@ponte/nest';
import type { EdgeTimeouts } from '../server/limits';
import { configureGateway, createGatewayAdapter, GatewayModule } from '../gateway.module';
import { StubBus } from './stub-bus';
import { populate } from './fixtures';
import type { Fixtures } from './accounts';

export interface GatewayUnderTest {
  readonly app: NestFastifyApplication;
  readonly bus: StubBus;
  readonly fixtures: Fixtures;
  readonly engines: Engines;
  readonly port: number;
  readonly staffToken: string;
  /** The offset of the system clock in milliseconds. */
  readonly clock: { offset: number };
  stop(): Promise<void>;
}

/**
 * Starts the real gateway on its own port over embedded engines, with its data in a new folder below `folder`. The test
 * provides the services behind it.
 */
export async function startGateway(
  environment: Environment = 'sandbox',
  timeouts?: EdgeTimeouts,
  others: readonly Type[] = [],
  folder = tmpdir(),
): Promise<GatewayUnderTest> {
  const dataDirectory = mkdtempSync(join(folder, 'ponte-gateway-'));
  const own = await openEmbeddedEngines(
    { environment, dataDirectory, port: 0, logLevel: 'silent', embeddedByName: true, failpoint: null },
    'gateway',
  );
  const bus = new StubBus();
  const clock = { offset: 0 };
  const { systemClock } = own;
  const engines: Engines = { ...own, bus, systemClock: { now: () => systemClock.now() + clock.offset } };
  const fixtures = populate(bus, engines.personalData);
  const running = await bootProcess({
    engines,
    modules: [GatewayModule.forEnvironment(environment), ...others],
    adapter: createGatewayAdapter(timeouts),
    configure: configureGateway,
    port: 0,
    host: '127.0.0.1',
  });
  return {
    app: running.app,
    bus,
    fixtures,
    engines,
    port: running.port,
    clock,
    staffToken: readFileSync(join(dataDirectory, 'staff-token'), 'utf8').trim(),
    async stop() {
      await running.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

interface Described {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The document for staff and operators, as served on the management port. */
export const staffDocument = <T = Described>({ engines }: Pick<GatewayUnderTest, 'engines'>): T =>
  JSON.parse(String(engines.documents.get('/staff/openapi.json')?.())) as T;

/** The document for partners, together with the operations that use the staff token of the installation. */
export async function wholeDocument<T = Described>(gateway: GatewayUnderTest): Promise<T> {
  const partner = (await gateway.app.inject({ url: '/openapi.json' })).json<Described>();
  const staff = staffDocument(gateway);
  const operators = Object.entries(staff.paths).filter(([path]) => !path.startsWith('/staff/v1/'));
  return {
    ...partner,
    paths: { ...partner.paths, ...Object.fromEntries(operators) },
    components: { ...partner.components, schemas: { ...staff.components.schemas, ...partner.components.schemas } },
  } as T;
}

/** The part of the staff document with the operations of a session. */
export const sessionDocument = <T = Described>(gateway: Pick<GatewayUnderTest, 'engines'>): T => {
  const { paths, ...rest } = staffDocument(gateway);
  const session = Object.entries(paths).filter(([path]) => path.startsWith('/staff/v1/'));
  return { ...rest, paths: Object.fromEntries(session) } as T;
};
