import { Injectable } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ConfirmSetAside, DepositRecord, RejectSetAside, RequestSetAside } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { JudgeSender } from '../address-screening/judge-sender.service';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';
import { depositRecord } from '../deposit/deposit.record';
import type { Deposit } from '../deposit/deposit.state';
import { Deposits } from '../deposit/deposits.repository';
import { Accounts } from '../deposit/pix-accounts.service';
import { depositPostingId } from '../ledger-account/ledger-account.commands';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { isSetAside, waitingTokens } from './set-aside.domain';

/** A staff member asks to set aside tokens of a closed account. */
export class RequestSetAsideCommand extends RequestCommand<typeof RequestSetAside> {}

/** A second staff member confirms it: the tokens go to suspense. */
export class ConfirmSetAsideCommand extends RequestCommand<typeof ConfirmSetAside> {}

/** A staff member rejects it: the deposit stays as it is. */
export class RejectSetAsideCommand extends RequestCommand<typeof RejectSetAside> {}

const recordOf = (state: Deposit): DepositRecord =>
  (state.status === 'none' ? null : depositRecord(state)) ??
  refuse('deposit-not-found', 'there is no such deposit', 'id');

/** Checks whether a deposit can be set aside. */
@Injectable()
export class SettableAside {
  constructor(
    private readonly accounts: Accounts,
    private readonly sender: JudgeSender,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly commands: CommandBus,
  ) {}

  /** Refuses a deposit that does not wait for a closed account, or about whose sender staff have to decide first. */
  async assert(state: Deposit, context: RequestContext): Promise<void> {
    const waiting = waitingTokens(state);
    const { accountId } = waiting;
    const { depositId } = waiting.facts;
    const account = (await this.accounts.get(accountId, context)) ?? behindEvent(`account ${accountId}`, 'absent');
    // A closed account is never opened again, so this stays true.
    if (account.status !== 'closed') refuse('account-not-closed', 'the account is not closed', 'id');
    if ((await this.sender.outcome(waiting, context)) !== 'clear')
      refuse('deposit-not-waiting', 'two approvers have to decide about the sender first', 'id');
    const { taken } = await this.ledgerAccounts.load(accountId);
    if (!taken.has(depositPostingId(depositId))) return;
    // It was posted before the account was closed, so the balance already had it.
    await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
    refuse('deposit-not-waiting', 'the deposit has been credited', 'id');
  }
}

@CommandHandler(RequestSetAsideCommand)
export class RequestSetAsideHandler implements ICommandHandler<RequestSetAsideCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly settable: SettableAside,
  ) {}

  async execute({ payload: { depositId, staffId }, context }: RequestSetAsideCommand): Promise<DepositRecord> {
    await this.settable.assert(await this.deposits.load(depositId), context);
    const requesting = (now: string) => ({ kind: 'request-set-aside', staffId, now }) as const;
    return recordOf(await this.deposits.execute(depositId, requesting, context));
  }
}

@CommandHandler(ConfirmSetAsideCommand)
export class ConfirmSetAsideHandler implements ICommandHandler<ConfirmSetAsideCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly settable: SettableAside,
    private readonly commands: CommandBus,
  ) {}

  /** The policy of `SuspensePosted` bars the posting too, if the process stops before it is done here. */
  async execute({ payload, context }: ConfirmSetAsideCommand): Promise<DepositRecord> {
    const { depositId, request, staffId } = payload;
    const state = await this.deposits.load(depositId);
    if (!isSetAside(state, request)) await this.settable.assert(state, context);
    const confirming = (now: string) => ({ kind: 'confirm-set-aside', request, staffId, now }) as const;
    const after = await this.deposits.execute(depositId, confirming, context);
    await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
    return recordOf(after);
  }
}

@CommandHandler(RejectSetAsideCommand)
export class RejectSetAsideHandler implements ICommandHandler<RejectSetAsideCommand> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload, context }: RejectSetAsideCommand): Promise<DepositRecord> {
    const { depositId, request, staffId } = payload;
    const rejecting = (now: string) => ({ kind: 'reject-set-aside', request, staffId, now }) as const;
    return recordOf(await this.deposits.execute(depositId, rejecting, context));
  }
}
