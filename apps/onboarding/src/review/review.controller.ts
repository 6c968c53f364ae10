import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import * as contracts from '@ponte/contracts';
import type { QueueItem } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { ErasePersonCommand } from '../person/erase-person.command';
import { OpenPrivacyReportCommand } from '../person/open-privacy-report.command';
import { OpenReviewCaseCommand } from './open-review-case.command';
import { OpenReviewFileCommand } from './open-review-file.command';
import { RegisterStaffUserCommand } from '../staff-user/register-staff-user.command';
import type { StaffCommand } from './review-request.command';
import { ReviewRequestCommand } from './review-request.command';
import { GetReviewHistoryQuery, ListReviewQueueQuery } from './review-queue.query';
import { GetStaffUserQuery, SignInStaffQuery } from '../staff-user/staff-users.query';

type Of<D extends keyof typeof contracts> = PayloadOf<(typeof contracts)[D]>;

/** What staff ask of account requests and persons. */
@Controller()
export class ReviewMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(contracts.ListReviewQueue.pattern)
  queue(@Payload() payload: Of<'ListReviewQueue'>) {
    return this.queries.execute(new ListReviewQueueQuery(payload));
  }

  @MessagePattern(contracts.OpenReviewCase.pattern)
  openCase(@Payload() payload: Of<'OpenReviewCase'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new OpenReviewCaseCommand(payload, context));
  }

  @MessagePattern(contracts.OpenReviewFile.pattern)
  openFile(@Payload() payload: Of<'OpenReviewFile'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new OpenReviewFileCommand(payload, context));
  }

  @MessagePattern(contracts.GetReviewHistory.pattern)
  history(@Payload() payload: Of<'GetReviewHistory'>) {
    return this.queries.execute(new GetReviewHistoryQuery(payload));
  }

  @MessagePattern(contracts.ClaimReview.pattern)
  claim(@Payload() { requestId, staff, takeOver }: Of<'ClaimReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'claim', staff, takeOver }, context);
  }

  @MessagePattern(contracts.ReleaseReview.pattern)
  release(@Payload() { requestId, staff }: Of<'ReleaseReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'release', staff }, context);
  }

  @MessagePattern(contracts.EscalateReview.pattern)
  escalate(@Payload() { requestId, staff, note }: Of<'EscalateReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'escalate', staff, note }, context);
  }

  @MessagePattern(contracts.AskInformation.pattern)
  askInformation(
    @Payload() { requestId, staff, items, issues, note }: Of<'AskInformation'>,
    @Ctx() context: RequestContext,
  ) {
    return this.review(requestId, { kind: 'ask-information', staff, items, issues, note }, context);
  }

  @MessagePattern(contracts.JudgeScreeningHit.pattern)
  judgeHit(@Payload() { requestId, ...judgement }: Of<'JudgeScreeningHit'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'judge-hit', ...judgement }, context);
  }

  @MessagePattern(contracts.ApproveReview.pattern)
  approve(@Payload() { requestId, staff, note }: Of<'ApproveReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'approve', staff, note }, context);
  }

  @MessagePattern(contracts.RejectReview.pattern)
  reject(@Payload() { requestId, staff, reason, note }: Of<'RejectReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'reject', staff, reason, note }, context);
  }

  @MessagePattern(contracts.OpenPrivacyReport.pattern)
  privacyReport(@Payload() payload: Of<'OpenPrivacyReport'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new OpenPrivacyReportCommand(payload, context));
  }

  @MessagePattern(contracts.ErasePerson.pattern)
  erase(@Payload() payload: Of<'ErasePerson'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ErasePersonCommand(payload, context));
  }

  @MessagePattern(contracts.RegisterStaffUser.pattern)
  registerStaff(@Payload() payload: Of<'RegisterStaffUser'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RegisterStaffUserCommand(payload, context));
  }

  @MessagePattern(contracts.SignInStaff.pattern)
  signIn(@Payload() payload: Of<'SignInStaff'>) {
    return this.queries.execute(new SignInStaffQuery(payload));
  }

  @MessagePattern(contracts.GetStaffUser.pattern)
  staffUser(@Payload() payload: Of<'GetStaffUser'>) {
    return this.queries.execute(new GetStaffUserQuery(payload));
  }

  private review(requestId: string, command: StaffCommand, context: RequestContext): Promise<QueueItem> {
    return this.commands.execute(new ReviewRequestCommand({ requestId, command }, context));
  }
}
