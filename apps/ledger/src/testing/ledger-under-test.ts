import { Module } from '@nestjs/common';
import type { INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import type {
  AccountStatus,
  ClearWithdrawalTarget,
  CreateWithdrawalPayload,
  WithdrawalMethod,
  WithdrawalRecord,
} from '@ponte/contracts';
import {
  CreateWithdrawal,
  GetBalance,
  SetBankBehaviour,
  GetTrialBalance,
  GetCharge,
  GetFundingCode,
  GetWithdrawal,
  sealWithdrawalTarget,
  ListDeposits,
  OpenPixCharge,
  SimulatePixPayment,
} from '@ponte/contracts';
import type { EventStore, Recorded, RequestContext, RequestDefinition } from '@ponte/event-sourcing';
import type { ErrorCode, PixKey } from '@ponte/kernel';
import { Money, addSeconds, derivedId, isoTime, txidOf } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines, systemContext } from '@ponte/nest';
import pino from 'pino';
import { ACCOUNT, HOLDER_CPF, HOLDER_NAME, PARENT, START, STRANGER_CPF } from './people';
import { answerForMovements, answerForOnboarding } from './simulated-services';
import { TED_PAYER } from '../ted-deposit/incoming-teds.port';
import type { TedPayer } from '../ted-deposit/incoming-teds.port';
import { PollReceivedTedsCommand } from '../ted-deposit/poll-received-teds.command';
import { PollReturnedPaymentsCommand } from '../payouts/poll-returned-payments.command';
import type { KeyOwner } from '../key-directory/key-directory.port';
import type { PaymentFate } from '../payouts/payment-fates';
import type { PayoutOrder, Payouts } from '../payouts/payouts.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import { PAYOUT_NOTICES } from '../payouts/payouts.port';
import { ResumeWithdrawalsCommand } from '../withdrawal/resume-withdrawals.command';
import { PollReceivedPixCommand } from '../pix-charge/poll-received-pix.command';
import { ResumeDepositsCommand } from '../deposit/resume-deposits.command';
import { sumsOf } from '../ledger-account/postings.domain';
import type { PixCharges } from '../pix-charge/pix-charges.port';
import { PIX_CHARGES } from '../pix-charge/pix-charges.port';
import type { PixPayer } from '../pix-charge/pix-payer.port';

/** The simulated bank as tests steer it. */
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

/** The simulated bank that pays out, as tests steer it. */
export interface PayoutBank extends Payouts {
  readonly directory: { move(key: PixKey): void; current(key: PixKey): KeyOwner };
  fateOf: (order: PayoutOrder) => PaymentFate;
  readTimesOut: (paymentId: string) => boolean;
  returnPayment(paymentId: string, amount?: string): string;
  totals(): { readonly paid: Money; readonly returned: Money; readonly completed: readonly string[] };
}

export { ACCOUNT, HOLDER_CPF, HOLDER_NAME, PARENT, START, STRANGER_CPF };
const CHARGE_SECONDS = 900;
const NO_TARGET: ClearWithdrawalTarget = {
  pixKey: null,
  bankCode: null,
  branchNumber: null,
  accountNumber: null,
  accountHolderName: null,
  accountHolderTaxId: null,
  destinationWalletAddress: null,
};

interface Parts<S> {
  readonly module: Type;
  readonly folder: string;
  /** A store on the log of the one before. */
  readonly open: (before?: S) => S;
  /** The clock goes on by itself: needed where timers have to wait, as for the fees of a stuck transaction. */
  readonly clockGoesOn?: boolean;
  /** The module contains movements, so its requests have no double here. */
  readonly includesMovements?: boolean;
}

/**
 * The service over real engines in a folder, a bank that misbehaves on request, and accounts as onboarding would tell
 * of them.
 */
export class LedgerUnderTest<S extends EventStore> {
  now = Date.parse(START);
  readonly status = new Map<string, AccountStatus>([[ACCOUNT, 'active']]);
  /** The number by which the holder of every account is known, when it is no CPF. */
  passport: string | null = null;
  /** Addresses that movements would not send tokens to, and why. */
  readonly refusedDestinations = new Map<string, ErrorCode>();
  /** Freezes that were asked for. */
  readonly freezes: { readonly accountId: string; readonly reason: string }[] = [];
  readonly lines: string[] = [];
  store!: S;
  engines!: Engines;
  private app!: INestMicroservice;
  private made = 0;
  private readonly began = performance.now();

  constructor(private readonly parts: Parts<S>) {}

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

  async boot(): Promise<void> {
    this.store = this.parts.open(this.store);
    const runtime = {
      environment: 'sandbox',
      dataDirectory: this.parts.folder,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    } as const;
    const logger = pino({ level: 'trace' }, { write: (line: string) => void this.lines.push(line) });
    this.engines = {
      ...(await openEmbeddedEngines(runtime, 'ledger', { store: this.store, logger })),
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

  /** What the timers do. */
  async tick(): Promise<void> {
    await this.run(new PollReceivedPixCommand({ fence: 0 }, systemContext(this.engines.ids, 'test')));
    this.now += 60_000;
    await this.run(new ResumeDepositsCommand(systemContext(this.engines.ids, 'test')));
    await this.run(new ResumeWithdrawalsCommand(systemContext(this.engines.ids, 'test')));
    await this.run(new PollReceivedTedsCommand({ fence: 0 }, systemContext(this.engines.ids, 'test')));
    await this.run(new PollReturnedPaymentsCommand({ fence: 0 }, systemContext(this.engines.ids, 'test')));
  }

  async fundingCode(accountId = ACCOUNT): Promise<string> {
    return (await this.ask(GetFundingCode, { accountId })).brcode;
  }

  pay(brcode: string, amount: string | null = null, payerTaxId: string | null = null) {
    return this.ask(SimulatePixPayment, { brcode, accountId: null, amount, payerTaxId });
  }

  /** Asks for a withdrawal; the same command id asks for the same one. */
  async withdraw(
    amount: string,
    target: Partial<ClearWithdrawalTarget>,
    more: Partial<CreateWithdrawalPayload> & { method?: WithdrawalMethod | null } = {},
  ): Promise<WithdrawalRecord> {
    const sealed = await sealWithdrawalTarget(this.engines.personalData, { ...NO_TARGET, ...target });
    const withdrawalId = more.withdrawalId ?? this.freshId();
    return this.ask(CreateWithdrawal, {
      withdrawalId,
      accountId: ACCOUNT,
      callerAccountId: PARENT,
      keyHash: null,
      bodyHash: null,
      asset: 'fiat/brl',
      method: 'pix',
      amount,
      externalId: null,
      target: sealed,
      ...more,
    });
  }

  /** Money on the account, of its own holder. */
  async fund(amount: string): Promise<void> {
    const before = (await this.balance()).running;
    await this.pay(await this.fundingCode(), amount);
    while ((await this.balance()).running === before) await this.tick();
  }

  withdrawal(withdrawalId: string): Promise<WithdrawalRecord | null> {
    return this.ask(GetWithdrawal, { accountId: ACCOUNT, withdrawalId });
  }

  async charge(orderId: string, amount = '50.00', accountId = ACCOUNT) {
    const txid = txidOf(derivedId('test charge', orderId));
    const expiration = addSeconds(isoTime(this.now), CHARGE_SECONDS);
    const commandId = derivedId('open', txid);
    return {
      txid,
      expiration,
      commandId,
      open: () => this.ask(OpenPixCharge, { txid, accountId, orderId, amount, expiration }, commandId),
    };
  }

  async balance(asset: 'fiat/brl' | 'eth-base/brlv' = 'fiat/brl') {
    const { running, available, held } = await this.ask(GetBalance, { accountId: ACCOUNT, assets: [asset] });
    return { running, available, held };
  }

  /** The bank takes a payment back (MED), and the next look notices. */
  async takeBack(endToEndId: string): Promise<void> {
    await this.ask(SetBankBehaviour, {
      callbacks: null,
      returns: null,
      settlement: null,
      faults: [],
      takeBack: endToEndId,
    });
    await this.tick();
  }

  outcome(txid: string) {
    return this.ask(GetCharge, { txid });
  }

  async deposits() {
    const filters = { assets: ['fiat/brl'] as const, status: null, type: null, endToEndId: null, txHash: null };
    return (
      await this.ask(ListDeposits, {
        accountId: ACCOUNT,
        filters,
        page: { limit: 200, cursor: null, createdFrom: null, createdTo: null },
      })
    ).items;
  }

  /** Everything in the log, or what one stream or category has of it. */
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

  /** Throws unless every entry balances, the books add up to zero, and our claim on the bank is what the bank says. */
  async assertTrialBalance(): Promise<void> {
    for (const event of await this.events('ledgerAccount-')) {
      if (!('postings' in event.data)) continue;
      for (const sum of sumsOf(event.data.postings as never).values())
        if (sum !== 0n) throw new Error('an entry does not balance');
    }
    const { lines, sums } = await this.ask(GetTrialBalance, { customers: false });
    for (const { amount, asset } of sums)
      if (!Money.stored(asset, amount).isZero()) throw new Error(`the books do not add up in ${asset}: ${amount}`);
    const claim = Money.stored(
      'fiat/brl',
      lines.find(({ account, asset }) => account === 'house:settlement' && asset === 'fiat/brl')?.amount ?? '0.00',
    ).negate();
    const { received, returned } = this.bank.totals();
    const payouts = this.payouts.totals();
    const teds = this.teds.totals();
    const has = received
      .minus(returned)
      .minus(payouts.paid)
      .plus(payouts.returned)
      .plus(teds.received)
      .minus(teds.returned);
    if (!claim.equals(has)) throw new Error(`we claim ${claim}, the bank has ${has}`);
  }
}
