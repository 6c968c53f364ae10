import { Module } from '@nestjs/common';
import type { INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import type { AccountStatus, FreezeReason } from '@ponte/contracts';
import type { EventStore, Recorded, RequestContext, RequestDefinition } from '@ponte/event-sourcing';
import type { ErrorCode, Money, PixKey } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines } from '@ponte/nest';
import { ACCOUNT, START } from './people';
import type { AnsweredFreeze } from './simulated-services';
import { answerForMovements, answerForOnboarding } from './simulated-services';
import { TED_PAYER } from '../ted-deposit/incoming-teds.port';
import type { TedPayer } from '../ted-deposit/incoming-teds.port';
import type { Payee } from '../person/payee.domain';
import type { PaymentFate } from '../payouts/payment-fates';
import type { PayoutOrder, Payouts } from '../payouts/payouts.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import { PAYOUT_NOTICES } from '../payouts/payouts.port';
import type { PixCharges } from '../pix-charge/pix-charges.port';
import { PIX_CHARGES } from '../pix-charge/pix-charges.port';
import type { PixPayer } from '../pix-charge/pix-payer.port';
import pino from 'pino';

/** The simulated bank as tests control it. */
export interface Bank extends PixCharges, PixPayer {
  readonly misbehaviour: {
    callbacks: 'prompt' | 'lost' | 'held' | 'repeated';
    returns: 'prompt' | 'processing' | 'not-carried-out';
    fail(operation: string, ...faults: ('unheard' | 'done' | 'error')[]): void;
  };
  releaseCallbacks(): void;
  totals(): { readonly received: Money; readonly returned: Money };
}

/** The TED side of the simulated bank. */
export interface TedBank extends TedPayer {
  totals(): { readonly received: Money; readonly returned: Money };
}

/** The simulated payout bank as tests control it. */
export interface PayoutBank extends Payouts {
  readonly directory: { move(key: PixKey): void; current(key: PixKey): Payee };
  fateOf: (order: PayoutOrder) => PaymentFate;
  readTimesOut: (paymentId: string) => boolean;
  makeRefused(paymentId: string, amount: string, notice?: 'announced'): string;
  returnPayment(paymentId: string, amount?: string): string;
  totals(): { readonly paid: Money; readonly returned: Money; readonly completed: readonly string[] };
}

interface LedgerParts<S> {
  readonly module: Type;
  /** Omitted if {@link RunningLedger.reset} sets it. */
  readonly folder?: string;
  /** Opens a store on the log of the previous one. */
  readonly open: (before?: S) => S;
  /** True if the clock advances by itself, which timers need, for example for the fees of a stuck transaction. */
  readonly clockGoesOn?: boolean;
  /** True if the module contains the movements service, so that its requests are not simulated here. */
  readonly includesMovements?: boolean;
}

/** The service over real engines in a folder, with a bank that misbehaves on request, and simulated accounts. */
export class RunningLedger<S extends EventStore> {
  now = Date.parse(START);
  readonly status = new Map<string, AccountStatus>([[ACCOUNT, 'active']]);
  /** The reasons for which an account is frozen. */
  readonly freezeReasons = new Map<string, readonly FreezeReason[]>();
  /** The number that identifies the holder of every account, if it is not a CPF. */
  passport: string | null = null;
  /** Addresses to which the movements service refuses to send tokens, and why. */
  readonly refusedDestinations = new Map<string, ErrorCode>();
  /** The most and the least tokens that the movements service moves for a withdrawal. Null without a limit. */
  maxTokens: string | null = null;
  minTokens: string | null = null;
  /** Freezes that the ledger requested. */
  readonly freezes: AnsweredFreeze[] = [];
  readonly lines: string[] = [];
  store!: S;
  engines!: Engines;
  protected app!: INestMicroservice;
  private made = 0;
  private readonly began = performance.now();
  folder: string;

  constructor(private readonly parts: LedgerParts<S>) {
    this.folder = parts.folder ?? '';
  }

  /** Restores the initial state, with an empty log and another folder. The next {@link boot} is like the first. */
  reset(folder: string): void {
    this.now = Date.parse(START);
    this.status.clear();
    this.status.set(ACCOUNT, 'active');
    this.freezeReasons.clear();
    this.passport = null;
    this.refusedDestinations.clear();
    [this.maxTokens, this.minTokens] = [null, null];
    for (const list of [this.freezes, this.lines]) list.length = 0;
    this.store = undefined as unknown as S;
    this.made = 0;
    this.folder = folder;
  }

  get teds(): TedBank {
    return this.app.get<TedBank>(TED_PAYER, { strict: false });
  }

  get payouts(): PayoutBank {
    return this.app.get<PayoutBank>(PAYOUT_NOTICES, { strict: false });
  }

  get bank(): Bank {
    return this.app.get<Bank>(PIX_CHARGES, { strict: false });
  }

  get settings(): LedgerSettings {
    return this.app.get<LedgerSettings>(LEDGER_SETTINGS, { strict: false });
  }

  part<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }

  async boot(): Promise<void> {
    this.store = this.parts.open(this.store);
    const runtime = {
      environment: 'sandbox',
      dataDirectory: this.folder,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    } as const;
    const logger = pino({ level: 'trace' }, { write: (line: string) => void this.lines.push(line) });
    this.engines = {
      ...(await openEmbeddedEngines(runtime, 'ledger', { store: this.store, logger, checkRequests: true })),
      clock: { now: () => this.now + (this.parts.clockGoesOn ? Math.trunc(performance.now() - this.began) : 0) },
    };
    answerForOnboarding(this);
    if (!this.parts.includesMovements) answerForMovements(this);
    @Module({ imports: [EnginesModule.forRoot(this.engines), this.parts.module] })
    class Root {}
    this.app = await NestFactory.createMicroservice(Root, {
      strategy: new BusTransport(this.engines.bus),
      logger: false,
      abortOnError: false,
    });
    await this.app.listen();
  }

  async stop(): Promise<void> {
    await this.engines.timers.stop();
    await this.app.close();
    await this.engines.close();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.boot();
  }

  ask<P, R>(definition: RequestDefinition<P, R>, payload: P, commandId?: string): Promise<R> {
    return this.engines.bus.request(definition, payload, this.context(commandId));
  }

  run<R>(command: Command<R>): Promise<R> {
    return this.app.get(CommandBus, { strict: false }).execute(command);
  }

  context(commandId = this.freshId()): RequestContext {
    return { commandId, correlationId: commandId, actor: 'test' };
  }

  freshId(): string {
    this.made += 1;
    return derivedId('test command', String(this.made));
  }

  /** All events in the log, or those of one stream or category. */
  async events(streamStartsWith = ''): Promise<Recorded[]> {
    const all: Recorded[] = [];
    const goal = await this.store.head();
    if (goal === undefined) return all;
    const subscription = this.store.subscribe();
    for await (const slice of subscription) {
      all.push(...slice.events);
      if (this.store.comparePositions(slice.position, goal) >= 0) break;
    }
    await subscription.close();
    return all.filter(({ stream }) => stream.startsWith(streamStartsWith));
  }

  async types(streamStartsWith = ''): Promise<string[]> {
    return (await this.events(streamStartsWith)).map(({ type }) => type);
  }
}
