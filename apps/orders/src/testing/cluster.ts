import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import type { OrderRecord, PlaceOrderPayload, QuoteRecord } from '@ponte/contracts';
import { GetOrder, ListOrders, PlaceOrder } from '@ponte/contracts';
import type { EventStore, RequestContext } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines } from '@ponte/nest';
import pino from 'pino';
import { ExpireChargesCommand } from '../funding/expire-charges.command';
import { SweepFundsCommand } from '../funding/sweep-funds.command';
import { RequestMissingSettlementsCommand } from '../settlement/request-missing-settlements.command';
import { OrdersModule } from '../orders.module';
import { ACCOUNT, FIRST_PAGE, NO_FILTERS, seedServices, quoted, requestFor } from './fixtures';
import { SimulatedServices } from './simulated-services';

export const START = Date.parse('2026-03-02T12:00:00.000Z');
const context = (commandId: string): RequestContext => ({ commandId, correlationId: commandId, actor: 'ak_test_1' });

/** One process of orders. The store may be shared between processes; the simulated services always are. */
interface Running {
  readonly engines: Engines;
  readonly app: INestMicroservice;
  readonly directory: string;
}

/** What a test provides: a store that can be made to fail, and polling with a time-out. */
export interface Tools<S extends EventStore> {
  /** Opens a new store, or the one that a previous process left on disk. */
  open(soleWriter: boolean, before?: S): S;
  eventually<T>(check: () => T | Promise<T>): Promise<T>;
  freshId(): string;
}

export class Cluster<S extends EventStore> {
  now = START;
  store: S;
  readonly services: SimulatedServices;
  readonly running: Running[] = [];
  /** The lines that the services logged. */
  readonly log: string[] = [];

  constructor(
    private readonly tools: Tools<S>,
    private readonly soleWriter = true,
  ) {
    this.store = tools.open(soleWriter);
    this.services = new SimulatedServices(
      () => this.store,
      () => isoTime(this.now),
    );
    seedServices(this.services, isoTime(START));
  }

  async boot(directory = mkdtempSync(join(tmpdir(), 'orders-'))): Promise<Running> {
    const runtime = {
      environment: 'sandbox',
      dataDirectory: directory,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    } as const;
    const opened = await openEmbeddedEngines(runtime, 'orders', {
      store: this.store,
      logger: pino({ level: 'info' }, { write: (line) => void this.log.push(line) }),
      checkRequests: true,
    });
    const engines: Engines = { ...opened, clock: { now: () => this.now } };
    this.services.register(engines.bus);
    const root = { module: class Root {}, imports: [EnginesModule.forRoot(engines), OrdersModule] };
    const app = await NestFactory.createMicroservice(root, { strategy: new BusTransport(engines.bus), logger: false });
    await app.listen();
    const running = { engines, app, directory };
    this.running.push(running);
    return running;
  }

  /** Simulates that the process stops and another one opens what it left on disk. */
  async restart(): Promise<Running> {
    const old = this.running.pop();
    if (!old) throw new Error('no process is running');
    await old.app.close().catch(() => undefined);
    await old.engines.close().catch(() => undefined);
    this.store = this.tools.open(this.soleWriter, this.store);
    return this.boot(old.directory);
  }

  private get first(): Running {
    return (
      this.running[0] ??
      (() => {
        throw new Error('no process is running');
      })()
    );
  }

  place(
    quoteId: string,
    over: Partial<PlaceOrderPayload> = {},
    commandId = this.tools.freshId(),
    at = this.first,
  ): Promise<OrderRecord> {
    return at.engines.bus.request(PlaceOrder, requestFor(quoteId, over), context(commandId));
  }

  /** Places the order as a client that repeats the request under the same key until it gets a response. */
  placePersistently(quoteId: string, over: Partial<PlaceOrderPayload>, commandId: string): Promise<OrderRecord> {
    return this.tools.eventually(() => this.place(quoteId, over, commandId));
  }

  get(orderId: string, accountId = ACCOUNT): Promise<OrderRecord | null> {
    return this.first.engines.bus.request(GetOrder, { accountId, orderId }, context(this.tools.freshId()));
  }

  list(over = {}, page = {}) {
    return this.first.engines.bus.request(
      ListOrders,
      { accountId: ACCOUNT, filters: { ...NO_FILTERS, ...over }, page: { ...FIRST_PAGE, ...page } },
      context(this.tools.freshId()),
    );
  }

  reaches(orderId: string, state: string): Promise<OrderRecord> {
    return this.tools.eventually(async () => {
      const order = await this.get(orderId);
      if (order?.state !== state) throw new Error(`the order is ${order?.state}, not ${state}`);
      return order;
    });
  }

  /** Confirms the settlement that the order requested, on the simulated chain. */
  async settles(orderId: string): Promise<void> {
    await this.services.confirm(await this.tools.eventually(() => this.settlementOf(orderId)));
  }

  settlementOf(orderId: string) {
    const found = [...this.services.settlements.values()].find((settlement) => settlement.orderId === orderId);
    return (
      found ??
      (() => {
        throw new Error('no settlement was requested');
      })()
    );
  }

  /** Creates a quote and returns its id. */
  quote(over: Partial<QuoteRecord> = {}): string {
    return quoted(this.services, this.tools.freshId(), isoTime(this.now), over).quoteId;
  }

  /** The txid of the charge that an order opened. */
  chargeOf(orderId: string): string {
    return [...this.services.charges.values()].find((charge) => charge.orderId === orderId)?.txid ?? '';
  }

  run<R>(command: (context: RequestContext) => Command<R>): Promise<R> {
    return this.first.app.get(CommandBus).execute(command(context(this.tools.freshId())));
  }
  sweep = () => this.run((one) => new SweepFundsCommand(one));
  requestMissingMints = () => this.run((one) => new RequestMissingSettlementsCommand(one));
  expire = () => this.run((one) => new ExpireChargesCommand(one));

  /** The value of a gauge without labels in the first process. */
  async shown(metric: string): Promise<number | undefined> {
    return (await this.first.engines.metrics.registry.getSingleMetric(metric)?.get())?.values[0]?.value;
  }

  facts(orderId: string): Promise<string[]> {
    return this.store.read(`order-${orderId}`).then((events) => events.map((event) => event.type));
  }

  async stop(): Promise<void> {
    for (const { app, engines, directory } of this.running) {
      await app.close().catch(() => undefined);
      await engines.close().catch(() => undefined);
      rmSync(directory, { recursive: true, force: true });
    }
  }
}
