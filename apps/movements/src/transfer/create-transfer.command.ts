import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { CreateTransferPayload, Timestamp, TransferRecord, WalletRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { logged, stepContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Refusal, Unavailable, furtherViolationsFrom } from '@ponte/kernel';
import { CLOCK, LOGGER, MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { AccountWallets } from '../wallet/account-wallets.service';
import { TokenDestinations } from '../token-movement/token-destinations.service';
import { chainOfToken } from '../token-movement/chain-values.domain';
import { DailyTransfers } from '../daily-transfers/daily-transfers.service';
import { ExternalIds } from '../external-id/external-ids.service';
import { GiveUpHold } from '../transfer-holds/give-up-hold.service';
import type { TransferHold } from '../transfer-holds/transfer-funds.service';
import { TransferFunds } from '../transfer-holds/transfer-funds.service';
import type { Transfer } from './transfer.decider';
import { abandonedIn, holdIdOf, transferRecord } from './transfer.decider';
import { answerable } from './transfer-lifecycle.domain';
import { HoldAbandoned } from './transfer.errors';
import { TRANSFERABLE, factViolations, requestViolations, termsOf } from './transfer.domain';
import { Transfers } from './transfer.repository';

/** Places a hold for the amount, then creates the transfer that owns the hold. */
export class CreateTransferCommand extends PayloadCommand<CreateTransferPayload, TransferRecord> {}

/** How many times a request is tried because its hold was given up. More than once means a stalled process. */
const MAX_ATTEMPTS = 3;
/** The API key id recorded for requests that were not made with an API key. */
const NO_KEY = 'unknown';

interface Attempt {
  /** The claim on the external id. */
  readonly claimId: string;
  /** Null until the hold was placed, by this request or an earlier one under its key. */
  holdId: string | null;
}

@CommandHandler(CreateTransferCommand)
export class CreateTransferHandler implements ICommandHandler<CreateTransferCommand> {
  constructor(
    private readonly transfers: Transfers,
    private readonly externalIds: ExternalIds,
    private readonly daily: DailyTransfers,
    private readonly wallets: AccountWallets,
    private readonly giveUp: GiveUpHold,
    private readonly destinations: TokenDestinations,
    private readonly funds: TransferFunds,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * A repeated request is answered from the stream, without any other read. After an unknown outcome nothing is
   * released: the retry or the sweep handles it.
   */
  async execute({ payload, context }: CreateTransferCommand): Promise<TransferRecord> {
    const { transferId } = payload;
    for (let count = 1; ; count += 1) {
      const attempt: Attempt = { claimId: this.externalIds.newClaimId(), holdId: null };
      // Outside the `try`: a refusal here must not release anything of the existing transfer.
      const existing = await this.transfers.load(transferId);
      if (existing.status !== 'absent') return this.answer(existing, payload);
      try {
        const once = stepContext(context, 'create-transfer', context.commandId, String(existing.abandoned.length));
        return this.answer(
          await this.transfers.createIfAbsent(transferId, (at) => this.accept(payload, attempt, at, context), once),
          payload,
        );
      } catch (error) {
        if (error instanceof Refusal || error instanceof HoldAbandoned) await this.release(payload, attempt, context);
        if (!(error instanceof HoldAbandoned)) throw error;
        if (count >= MAX_ATTEMPTS) throw new Unavailable('service-unavailable');
      }
    }
  }

  /** For a day the first answer, afterwards the current state. */
  private answer(state: Transfer, payload: CreateTransferPayload): TransferRecord {
    if (state.status === 'absent') throw new Error('an accepted transfer must exist');
    const record = transferRecord(answerable(state, payload, this.clock.now()));
    if (!record) throw new Error('a created transfer must have a record');
    return record;
  }

  /** Gathers the facts of one attempt. `at` is the only clock reading that it uses. */
  private async accept(payload: CreateTransferPayload, attempt: Attempt, at: Timestamp, context: RequestContext) {
    const { transferId, accountId, asset } = payload;
    const target = payload.targetAddress.toLowerCase();
    const isTransferable = TRANSFERABLE.includes(asset);
    const loss = isTransferable ? await this.destinations.lossAt(chainOfToken(asset), target, context) : null;
    const isWithin = (units: bigint) => this.signer.allowsAmount(asset, units);
    const limits = { minimums: this.settings.minimumAmounts, isWithin };
    const violations = requestViolations(payload, loss, limits);
    const broken = new Set(violations.map(({ path }) => path));
    const [account, source, externalIdUsed, state, ofDay] = await Promise.all([
      this.bus.request(GetAccount, { accountId }, context),
      broken.has('asset') || broken.has('source-address') ? undefined : this.sourceWallet(payload),
      this.externalIds.isUsed(payload, at),
      this.transfers.load(transferId),
      this.daily.violations(payload, at),
    ]);
    violations.push(...factViolations({ account, source, externalIdUsed }), ...ofDay);
    if (violations.length > 0 || !source) {
      const isAffordable = () => this.funds.checkBalance(payload, context);
      const amountIsValid = account !== null && !broken.has('asset') && !broken.has('amount');
      throw new Refusal([...violations, ...(amountIsValid ? await furtherViolationsFrom(isAffordable) : [])]);
    }
    const funds = await this.funds.of(source, payload, context);
    const receiver = await this.wallets.receiverAt(source.chain, target);
    await this.externalIds.take(payload, attempt.claimId, context);
    const holdId = holdIdOf(transferId, abandonedIn(state).length);
    await this.placeHold(payload, attempt, { holdId, source, funds }, context);
    await this.daily.count(payload, { attemptId: attempt.claimId, at }, context);
    const apiKey = context.actor ?? NO_KEY;
    return {
      kind: 'create',
      terms: termsOf(payload, { source, receiver, parentId: account?.parentId ?? null, holdId, apiKey, at }),
    } as const;
  }

  private sourceWallet({ accountId, asset, sourceAddress }: CreateTransferPayload): Promise<WalletRecord | null> {
    return this.wallets.byAddress(accountId, chainOfToken(asset), sourceAddress.toLowerCase());
  }

  private async placeHold(
    payload: CreateTransferPayload,
    attempt: Attempt,
    hold: TransferHold,
    context: RequestContext,
  ): Promise<void> {
    const { holdId } = hold;
    try {
      await this.funds.hold(payload, hold, context);
    } catch (error) {
      // The sweep released it, or a request under the same key placed it for another amount and may not need it.
      if (!(error instanceof Refusal && error.code === 'hold-not-open')) throw error;
      if (!(await this.giveUp.isDecided(payload.transferId, holdId))) attempt.holdId = holdId;
      throw new HoldAbandoned();
    }
    attempt.holdId = holdId;
  }

  /** Best effort: the sweep finds what is not released here. */
  private async release(payload: CreateTransferPayload, attempt: Attempt, context: RequestContext): Promise<void> {
    const { transferId, accountId } = payload;
    const { claimId, holdId } = attempt;
    try {
      if (holdId !== null && (await this.giveUp.execute({ transferId, accountId, holdId }, context)).owned) return;
      // Another request with the same key has created it, with the same external id.
      if ((await this.transfers.load(transferId)).status !== 'absent') return;
      await this.daily.uncount(payload, claimId, context);
      await this.externalIds.release(payload, claimId, context);
    } catch (error) {
      this.logger.warn(
        { ...logged(context), err: error, transferId },
        'the reservations of a refused transfer could not be released; the sweep will release the hold',
      );
    }
  }
}
