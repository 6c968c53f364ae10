import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type {
  ConfirmSuspenseSettlement,
  FailedReturn,
  ProposeSuspenseSettlement,
  RejectSuspenseSettlement,
} from '@ponte/contracts';
import { openSettlementNote } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { Deposits } from '../deposit/deposits.repository';
import { PersonSealing } from '../person/person-sealing.service';
import { isOfTokens } from '../suspense-sending/sending.domain';
import { SuspenseSendings } from '../suspense-sending/sendings.service';
import { StoppedPayers } from '../returns/stopped-payers.service';
import { failedReturnOf } from './failed-return.mapper';
import { SettlementReferences } from './settlement-references.repository';
import type { DepositInSuspense } from './suspense.domain';
import { inSuspense, isConfirmable } from './suspense.domain';

/** A staff member states how the money was sent back at the bank. */
export class ProposeSuspenseSettlementCommand extends RequestCommand<typeof ProposeSuspenseSettlement> {}

@CommandHandler(ProposeSuspenseSettlementCommand)
export class ProposeSuspenseSettlementHandler implements ICommandHandler<ProposeSuspenseSettlementCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly references: SettlementReferences,
    private readonly sealing: PersonSealing,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload, context }: ProposeSuspenseSettlementCommand): Promise<FailedReturn> {
    const { depositId, bankReference, staffId } = payload;
    await this.references.assertFree(bankReference, depositId);
    const note = await this.sealed(inSuspense(await this.deposits.load(depositId)), payload.note);
    const proposing = (now: string) => ({ kind: 'propose-settlement', bankReference, note, staffId, now }) as const;
    return failedReturnOf(inSuspense(await this.deposits.execute(depositId, proposing, context)));
  }

  /** A repeated proposal gets the stored note, because sealing a text again gives another result. */
  private async sealed({ facts, suspense: { settlement } }: DepositInSuspense, inTransit: Sealed): Promise<Sealed> {
    const text = await openSettlementNote(this.personalData, inTransit);
    if (settlement && (await this.personalData.open(settlement.note)) === text) return settlement.note;
    return this.sealing.aboutPayer(facts, text);
  }
}

/**
 * A second staff member confirms the pending settlement. Not while money must not leave the account of the payer: the
 * money then stays in suspense, and the proposal waits.
 */
export class ConfirmSuspenseSettlementCommand extends RequestCommand<typeof ConfirmSuspenseSettlement> {}

@CommandHandler(ConfirmSuspenseSettlementCommand)
export class ConfirmSuspenseSettlementHandler implements ICommandHandler<ConfirmSuspenseSettlementCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly references: SettlementReferences,
    private readonly sendings: SuspenseSendings,
    private readonly payers: StoppedPayers,
  ) {}

  /**
   * Claims the bank reference first, so that it cannot settle two deposits. A crash in between loses nothing: the
   * staff member confirms again, or the proposal is rejected, which frees the reference.
   */
  async execute({ payload, context }: ConfirmSuspenseSettlementCommand): Promise<FailedReturn> {
    const { depositId, proposal, staffId } = payload;
    const known = inSuspense(await this.deposits.load(depositId));
    if (isOfTokens(known)) return this.sendings.confirm(payload, context);
    const { settlement } = known.suspense;
    if (!isConfirmable(known.suspense, payload) || settlement === null) return failedReturnOf(known);
    if (await this.payers.isStopped(known.facts, context))
      refuse(
        'payer-account-frozen',
        'the account of the payer is frozen, and its money must not leave before the release',
        'id',
      );
    await this.references.claim(settlement.bankReference, { depositId, proposal }, context);
    const confirming = (now: string) => ({ kind: 'confirm-settlement', proposal, staffId, now }) as const;
    return failedReturnOf(inSuspense(await this.deposits.execute(depositId, confirming, context)));
  }
}

/** A second staff member rejects the pending settlement. */
export class RejectSuspenseSettlementCommand extends RequestCommand<typeof RejectSuspenseSettlement> {}

@CommandHandler(RejectSuspenseSettlementCommand)
export class RejectSuspenseSettlementHandler implements ICommandHandler<RejectSuspenseSettlementCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly sendings: SuspenseSendings,
  ) {}

  async execute({ payload, context }: RejectSuspenseSettlementCommand): Promise<FailedReturn> {
    const { depositId, proposal, staffId } = payload;
    if (isOfTokens(inSuspense(await this.deposits.load(depositId)))) return this.sendings.reject(payload, context);
    const rejecting = (now: string) => ({ kind: 'reject-settlement', proposal, staffId, now }) as const;
    return failedReturnOf(inSuspense(await this.deposits.execute(depositId, rejecting, context)));
  }
}
