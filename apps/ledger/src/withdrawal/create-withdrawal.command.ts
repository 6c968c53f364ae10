import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type {
  AccountRecord,
  CreateWithdrawalPayload,
  WithdrawalRecord,
  WithdrawalTarget,
  CreateWithdrawal,
} from '@ponte/contracts';
import { openWithdrawalTarget } from '@ponte/contracts';
import type { PersonalData, RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import {
  Refusal,
  Unavailable,
  fromIso,
  furtherViolationsFrom,
  refuse,
  repeatsFirstResponse,
  violationsFrom,
} from '@ponte/kernel';
import { CLOCK, LOGGER, PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { BusinessCalendar } from '../business-calendar/business-calendar';
import { Accounts, openHolderOf } from '../deposit/pix-accounts.service';
import { step } from '../steps';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import type { Reservation } from './withdrawal-funds.service';
import { WithdrawalChecks } from '../withdrawal-checks/withdrawal-checks.service';
import { WithdrawalFunds } from './withdrawal-funds.service';
import type { CreatedWithdrawal } from './withdrawal.state';
import { HoldAbandoned, abandonedHolds, asCreated, created, damaged, withdrawalHoldId } from './withdrawal.state';
import { recordOf } from './withdrawal.record';
import { NOT_ACTIVE, NOT_OFFERED, examineWithdrawal } from './withdrawal.domain';
import type { FoundTarget } from './withdrawal-targets.service';
import { WithdrawalTargets } from './withdrawal-targets.service';
import { Withdrawals } from './withdrawals.repository';

/** Holds the funds, then creates the withdrawal that owns them. */
export class CreateWithdrawalCommand extends RequestCommand<typeof CreateWithdrawal> {}

/**
 * How many holds a request may take. It needs another one when the last was abandoned: by the sweep, or because it was
 * placed for another amount under the same key. More than once means a stalled process.
 */
const MAX_HOLDS = 3;

/** What is needed to create a withdrawal once every check has passed. */
interface Checked {
  readonly account: AccountRecord;
  readonly reservation: Reservation;
  readonly found: FoundTarget;
}

/** The API key id recorded for withdrawals that were not requested with an API key. */
const NO_API_KEY = 'unknown';

@CommandHandler(CreateWithdrawalCommand)
export class CreateWithdrawalHandler implements ICommandHandler<CreateWithdrawalCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly funds: WithdrawalFunds,
    private readonly checks: WithdrawalChecks,
    private readonly accounts: Accounts,
    private readonly targets: WithdrawalTargets,
    private readonly calendar: BusinessCalendar,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ payload, context }: CreateWithdrawalCommand): Promise<WithdrawalRecord> {
    for (let holds = 1; ; holds += 1) {
      const state = await this.withdrawals.load(payload.withdrawalId);
      const existing = created(state);
      if (existing) return this.answer(existing, payload);
      const holdId = withdrawalHoldId(payload.withdrawalId, abandonedHolds(state).size);
      await this.funds.releaseAbandoned({ ...payload, holdIds: abandonedHolds(state) }, context);
      try {
        return this.answer(await this.create(payload, holdId, context), payload);
      } catch (error) {
        if (!(error instanceof HoldAbandoned)) throw error;
        if (holds >= MAX_HOLDS) throw new Unavailable('service-unavailable');
      }
    }
  }

  /** Checks before it writes, and seals the payee last. A later refusal returns what was reserved and leaves no key. */
  private async create(
    payload: CreateWithdrawalPayload,
    holdId: string,
    context: RequestContext,
  ): Promise<CreatedWithdrawal> {
    const { account, reservation, found } = await this.checked(payload, holdId, context);
    const date = await this.funds.hold(reservation, context);
    try {
      await this.funds.claim(reservation, date, context);
      const target = await this.targets.seal(found, payload.withdrawalId, openHolderOf(account));
      return await this.place({ payload, reservation, account, target }, context);
    } catch (error) {
      if (error instanceof Refusal || error instanceof HoldAbandoned) await this.release(reservation, date, context);
      throw error;
    }
  }

  /** Refuses with all violations at once, in rule order. A part that breaks a rule is not checked further. */
  private async checked(payload: CreateWithdrawalPayload, holdId: string, context: RequestContext): Promise<Checked> {
    const { withdrawalId, accountId, asset, method, externalId } = payload;
    const clear = await openWithdrawalTarget(this.personalData, payload.target);
    const examined = examineWithdrawal({ asset, method, amount: payload.amount, target: clear });
    const violations = [...examined.violations];
    if (examined.target?.method === 'token' && !this.settings.tokenWithdrawals) violations.push(NOT_OFFERED);
    const account = await this.accounts.get(accountId, context);
    if (account?.status !== 'active') violations.push(NOT_ACTIVE);
    const requested = { withdrawalId, accountId, holdId, externalId, asset };
    const reservation = examined.amount && { ...requested, amount: examined.amount.toString() };
    violations.push(
      ...(await violationsFrom(() => this.checks.checkReference(requested))),
      ...(await violationsFrom(() => reservation && this.checks.checkAllowance(reservation))),
    );
    const { target: valid } = examined;
    // Asks another service, which may not answer. If the request is refused anyway, no matter.
    let target: FoundTarget | undefined;
    const request = { ...(reservation ?? requested), parentId: account?.parentId ?? null };
    const ofTarget = async () => (target = valid && (await this.targets.find(valid, request, context)));
    const known = await this.checks.withBalance(violations, reservation);
    const find = violations.length > 0 ? furtherViolationsFrom : violationsFrom;
    // A request that cannot succeed must not search the key directory of the bank.
    if (valid?.method === 'pix' && known.length > 0) throw new Refusal(known);
    violations.push(...(await find(ofTarget)));
    if (violations.length > 0 || !account || !reservation || !target)
      throw new Refusal(await this.checks.withBalance(violations, reservation));
    return { account, reservation, found: target };
  }

  private async place(
    {
      payload,
      reservation,
      account,
      target,
    }: { payload: CreateWithdrawalPayload; reservation: Reservation; account: AccountRecord; target: WithdrawalTarget },
    context: RequestContext,
  ): Promise<CreatedWithdrawal> {
    const { withdrawalId, accountId, holdId, externalId, asset, amount } = reservation;
    const { callerAccountId: createdBy, keyHash, bodyHash } = payload;
    const state = await this.withdrawals.execute(
      withdrawalId,
      (now) => ({
        kind: 'create',
        terms: {
          withdrawalId,
          accountId,
          parentId: account.parentId,
          createdBy,
          createdByApiKey: context.actor ?? NO_API_KEY,
          keyHash,
          bodyHash,
          externalId,
          asset,
          amount,
          holdId,
          target,
          scheduledFor: target.method === 'ted' ? this.calendar.waitsUntil(fromIso(now)) : null,
          createdAt: now,
        },
      }),
      { ...step(context, 'create', holdId), deadline: context.deadline },
    );
    const existing = created(state) ?? damaged();
    // Another request under this key gave the hold back and created the withdrawal with its own.
    if (existing.terms.holdId !== holdId) throw new HoldAbandoned(holdId);
    return existing;
  }

  /** A repeated request gets the same answer as the first one, and after a day the withdrawal's current state. */
  private answer(existing: CreatedWithdrawal, { accountId, bodyHash }: CreateWithdrawalPayload): WithdrawalRecord {
    const { terms } = existing;
    if (terms.accountId !== accountId || terms.bodyHash !== bodyHash)
      refuse('idempotency-key-reused', 'the idempotency key was used with another body');
    return recordOf(repeatsFirstResponse(terms.createdAt, this.clock.now()) ? asCreated(terms) : existing);
  }

  /** Best effort: the sweep releases what a failure leaves reserved. */
  private async release(reservation: Reservation, date: string, context: RequestContext): Promise<void> {
    try {
      await this.funds.abandon(reservation, context, date);
    } catch (error) {
      this.logger.warn(
        { ...logged(context), err: error, withdrawalId: reservation.withdrawalId },
        'the reservations of a refused withdrawal could not be released; the sweep releases them',
      );
    }
  }
}
