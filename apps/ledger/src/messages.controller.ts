import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  ClosePixCharge,
  GetBalance,
  GetTrialBalance,
  GetCharge,
  GetDeposit,
  GetFundingCode,
  ListDeposits,
  ListOpenHolds,
  ListOverdueCharges,
  OpenPixCharge,
  PlaceHold,
  ConfirmUsdDeposit,
  CreateWithdrawal,
  GetFxDays,
  GetIofPayable,
  PayOutOrder,
  ResolvePixKey,
  ListUsdDeposits,
  RecordUsdDeposit,
  RejectUsdDeposit,
  GetAnyWithdrawal,
  GetWithdrawal,
  ListAllWithdrawals,
  ListWithdrawalReviews,
  ListWithdrawals,
  PostExchange,
  PostTokenMovement,
  ReleaseHold,
  ReturnChargePayment,
  ReviewWithdrawal,
  SettleTokenWithdrawal,
} from '@ponte/contracts';
import type { PayloadOf, Recorded, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, policiesOf, typesHandledBy } from '@ponte/nest';
import { ClosePixChargeCommand } from './pix-charge/close-pix-charge.command';
import { OpenPixChargeCommand } from './pix-charge/open-pix-charge.command';
import { PlaceHoldCommand } from './ledger-account/place-hold.command';
import { PostExchangeCommand } from './ledger-account/post-exchange.command';
import { ReleaseHoldCommand } from './ledger-account/release-hold.command';
import { ReturnChargePaymentCommand } from './pix-charge/return-charge-payment.command';
import { GetBalanceQuery } from './ledger-account/get-balance.query';
import { GetTrialBalanceQuery } from './trial-balance/get-trial-balance.query';
import { GetChargeQuery } from './pix-charge/get-charge.query';
import { GetDepositQuery } from './deposit/get-deposit.query';
import { GetFundingCodeQuery } from './deposit/get-funding-code.query';
import { ListDepositsQuery } from './deposit/list-deposits.query';
import { ListOpenHoldsQuery } from './ledger-account/list-open-holds.query';
import { ListOverdueChargesQuery } from './pix-charge/list-overdue-charges.query';
import { PostTokenMovementCommand } from './token-movement/post-token-movement.command';
import { LEDGER_POLICIES } from './ledger.policies';
import {
  DecideUsdDepositCommand,
  ListUsdDepositsQuery,
  RecordUsdDepositCommand,
} from './usd-deposit/usd-deposits.commands';
import { CreateWithdrawalCommand } from './withdrawal/create-withdrawal.command';
import { ListWithdrawalReviewsQuery, ReviewWithdrawalCommand } from './withdrawal-review/review-withdrawal.command';
import { ResolvePixKeyQuery } from './key-directory/resolve-pix-key.query';
import { GetFxDaysQuery, GetIofPayableQuery } from './reports/get-fx-reports.query';
import { PayOutOrderCommand } from './order-payout/pay-out-order.command';
import { SettleTokenWithdrawalCommand } from './token-withdrawal/settle-token-withdrawal.command';
import { GetWithdrawalQuery, ListWithdrawalsQuery } from './withdrawal/withdrawals.queries';

/** What the bus brings to this service: requests, and its own facts, which its policies follow. */
@Controller()
export class LedgerMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(policiesOf('ledger')) private readonly policies: Policies,
  ) {}

  @MessagePattern(PlaceHold.pattern)
  placeHold(
    @Payload() payload: PayloadOf<typeof PlaceHold>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof PlaceHold>> {
    return this.commands.execute(new PlaceHoldCommand(payload, context));
  }

  @MessagePattern(ReleaseHold.pattern)
  releaseHold(
    @Payload() payload: PayloadOf<typeof ReleaseHold>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ReleaseHold>> {
    return this.commands.execute(new ReleaseHoldCommand(payload, context));
  }

  @MessagePattern(PostExchange.pattern)
  postExchange(
    @Payload() payload: PayloadOf<typeof PostExchange>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof PostExchange>> {
    return this.commands.execute(new PostExchangeCommand(payload, context));
  }

  @MessagePattern(OpenPixCharge.pattern)
  openPixCharge(
    @Payload() payload: PayloadOf<typeof OpenPixCharge>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof OpenPixCharge>> {
    return this.commands.execute(new OpenPixChargeCommand(payload, context));
  }

  @MessagePattern(ClosePixCharge.pattern)
  closePixCharge(
    @Payload() { txid }: PayloadOf<typeof ClosePixCharge>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ClosePixCharge>> {
    return this.commands.execute(new ClosePixChargeCommand(txid, context));
  }

  @MessagePattern(ReturnChargePayment.pattern)
  returnChargePayment(
    @Payload() payload: PayloadOf<typeof ReturnChargePayment>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ReturnChargePayment>> {
    return this.commands.execute(new ReturnChargePaymentCommand(payload, context));
  }

  @MessagePattern(CreateWithdrawal.pattern)
  createWithdrawal(
    @Payload() payload: PayloadOf<typeof CreateWithdrawal>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof CreateWithdrawal>> {
    return this.commands.execute(new CreateWithdrawalCommand(payload, context));
  }

  @MessagePattern(GetFxDays.pattern)
  getFxDays(@Payload() payload: PayloadOf<typeof GetFxDays>): Promise<ReplyOf<typeof GetFxDays>> {
    return this.queries.execute(new GetFxDaysQuery(payload));
  }

  @MessagePattern(GetIofPayable.pattern)
  getIofPayable(@Payload() payload: PayloadOf<typeof GetIofPayable>): Promise<ReplyOf<typeof GetIofPayable>> {
    return this.queries.execute(new GetIofPayableQuery(payload));
  }

  @MessagePattern(PayOutOrder.pattern)
  payOutOrder(
    @Payload() payload: PayloadOf<typeof PayOutOrder>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof PayOutOrder>> {
    return this.commands.execute(new PayOutOrderCommand(payload, context));
  }

  @MessagePattern(ResolvePixKey.pattern)
  resolvePixKey(
    @Payload() payload: PayloadOf<typeof ResolvePixKey>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ResolvePixKey>> {
    return this.queries.execute(new ResolvePixKeyQuery(payload, context));
  }

  @MessagePattern(SettleTokenWithdrawal.pattern)
  settleTokenWithdrawal(
    @Payload() payload: PayloadOf<typeof SettleTokenWithdrawal>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof SettleTokenWithdrawal>> {
    return this.commands.execute(new SettleTokenWithdrawalCommand(payload, context));
  }

  @MessagePattern(ReviewWithdrawal.pattern)
  reviewWithdrawal(
    @Payload() payload: PayloadOf<typeof ReviewWithdrawal>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ReviewWithdrawal>> {
    return this.commands.execute(new ReviewWithdrawalCommand(payload, context));
  }

  @MessagePattern(ListWithdrawalReviews.pattern)
  listWithdrawalReviews(): Promise<ReplyOf<typeof ListWithdrawalReviews>> {
    return this.queries.execute(new ListWithdrawalReviewsQuery());
  }

  @MessagePattern(GetWithdrawal.pattern)
  getWithdrawal(
    @Payload() { withdrawalId, accountId }: PayloadOf<typeof GetWithdrawal>,
  ): Promise<ReplyOf<typeof GetWithdrawal>> {
    return this.queries.execute(new GetWithdrawalQuery(withdrawalId, accountId));
  }

  @MessagePattern(GetAnyWithdrawal.pattern)
  getAnyWithdrawal(
    @Payload() { withdrawalId }: PayloadOf<typeof GetAnyWithdrawal>,
  ): Promise<ReplyOf<typeof GetAnyWithdrawal>> {
    return this.queries.execute(new GetWithdrawalQuery(withdrawalId, null));
  }

  @MessagePattern(ListWithdrawals.pattern)
  listWithdrawals(@Payload() payload: PayloadOf<typeof ListWithdrawals>): Promise<ReplyOf<typeof ListWithdrawals>> {
    return this.queries.execute(new ListWithdrawalsQuery(payload));
  }

  @MessagePattern(ListAllWithdrawals.pattern)
  listAllWithdrawals(
    @Payload() payload: PayloadOf<typeof ListAllWithdrawals>,
  ): Promise<ReplyOf<typeof ListAllWithdrawals>> {
    return this.queries.execute(new ListWithdrawalsQuery(payload));
  }

  @MessagePattern(RecordUsdDeposit.pattern)
  recordUsdDeposit(
    @Payload() payload: PayloadOf<typeof RecordUsdDeposit>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof RecordUsdDeposit>> {
    return this.commands.execute(new RecordUsdDepositCommand(payload, context));
  }

  @MessagePattern(ConfirmUsdDeposit.pattern)
  confirmUsdDeposit(
    @Payload() { depositId, staffId }: PayloadOf<typeof ConfirmUsdDeposit>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ConfirmUsdDeposit>> {
    return this.commands.execute(new DecideUsdDepositCommand('confirm', depositId, staffId, context));
  }

  @MessagePattern(RejectUsdDeposit.pattern)
  rejectUsdDeposit(
    @Payload() { depositId, staffId }: PayloadOf<typeof RejectUsdDeposit>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof RejectUsdDeposit>> {
    return this.commands.execute(new DecideUsdDepositCommand('reject', depositId, staffId, context));
  }

  @MessagePattern(ListUsdDeposits.pattern)
  listUsdDeposits(@Payload() payload: PayloadOf<typeof ListUsdDeposits>): Promise<ReplyOf<typeof ListUsdDeposits>> {
    return this.queries.execute(new ListUsdDepositsQuery(payload));
  }

  @MessagePattern(GetCharge.pattern)
  getCharge(@Payload() { txid }: PayloadOf<typeof GetCharge>): Promise<ReplyOf<typeof GetCharge>> {
    return this.queries.execute(new GetChargeQuery(txid));
  }

  @MessagePattern(GetBalance.pattern)
  getBalance(@Payload() payload: PayloadOf<typeof GetBalance>): Promise<ReplyOf<typeof GetBalance>> {
    return this.queries.execute(new GetBalanceQuery(payload));
  }

  @MessagePattern(ListDeposits.pattern)
  listDeposits(@Payload() payload: PayloadOf<typeof ListDeposits>): Promise<ReplyOf<typeof ListDeposits>> {
    return this.queries.execute(new ListDepositsQuery(payload));
  }

  @MessagePattern(GetDeposit.pattern)
  getDeposit(@Payload() { accountId, depositId }: PayloadOf<typeof GetDeposit>): Promise<ReplyOf<typeof GetDeposit>> {
    return this.queries.execute(new GetDepositQuery(accountId, depositId));
  }

  @MessagePattern(GetFundingCode.pattern)
  getFundingCode(@Payload() { accountId }: PayloadOf<typeof GetFundingCode>): Promise<ReplyOf<typeof GetFundingCode>> {
    return this.queries.execute(new GetFundingCodeQuery(accountId));
  }

  @MessagePattern(ListOpenHolds.pattern)
  listOpenHolds(@Payload() payload: PayloadOf<typeof ListOpenHolds>): Promise<ReplyOf<typeof ListOpenHolds>> {
    return this.queries.execute(new ListOpenHoldsQuery(payload));
  }

  @MessagePattern(ListOverdueCharges.pattern)
  listOverdueCharges(
    @Payload() payload: PayloadOf<typeof ListOverdueCharges>,
  ): Promise<ReplyOf<typeof ListOverdueCharges>> {
    return this.queries.execute(new ListOverdueChargesQuery(payload));
  }

  @MessagePattern(GetTrialBalance.pattern)
  getTrialBalance(
    @Payload() { customers }: PayloadOf<typeof GetTrialBalance>,
  ): Promise<ReplyOf<typeof GetTrialBalance>> {
    return this.queries.execute(new GetTrialBalanceQuery(customers));
  }

  @Consumes('onboarding', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onOnboarding(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @MessagePattern(PostTokenMovement.pattern)
  postTokenMovement(
    @Payload() payload: PayloadOf<typeof PostTokenMovement>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof PostTokenMovement>> {
    return this.commands.execute(new PostTokenMovementCommand(payload, context));
  }

  @Consumes('movements', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onMovements(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @Consumes('ledger', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onLedger(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }
}
