import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import * as contracts from '@ponte/contracts';
import type { CaseItem } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { forwardRequests } from '@ponte/nest';
import { ErasePersonCommand } from '../person/erase-person.command';
import { OpenPrivacyReportCommand } from '../person/open-privacy-report.command';
import { RecordNoteViewCommand } from '../person/record-note-view.command';
import { RecordUsdDepositViewCommand } from '../person/record-usd-deposit-view.command';
import { RegisterStaffUserCommand } from '../staff-user/register-staff-user.command';
import { GetStaffUserQuery, SignInStaffQuery } from '../staff-user/staff-users.query';
import { OpenReviewCaseCommand } from './open-review-case.command';
import { OpenReviewFileCommand } from './open-review-file.command';
import { GetReviewHistoryQuery, ListReviewQueueQuery } from './review-queue.query';
import type { StaffCommand } from './review-request.command';
import { ReviewRequestCommand } from './review-request.command';

type Of<D extends keyof typeof contracts> = PayloadOf<(typeof contracts)[D]>;

/** Requests of staff about account requests and persons. */
@Controller()
export class ReviewMessages extends forwardRequests(
  [contracts.ListReviewQueue, ListReviewQueueQuery],
  [contracts.OpenReviewCase, OpenReviewCaseCommand],
  [contracts.OpenReviewFile, OpenReviewFileCommand],
  [contracts.GetReviewHistory, GetReviewHistoryQuery],
  [contracts.OpenPrivacyReport, OpenPrivacyReportCommand],
  [contracts.ErasePerson, ErasePersonCommand],
  [contracts.RecordNoteView, RecordNoteViewCommand],
  [contracts.RecordUsdDepositView, RecordUsdDepositViewCommand],
  [contracts.RegisterStaffUser, RegisterStaffUserCommand],
  [contracts.SignInStaff, SignInStaffQuery],
  [contracts.GetStaffUser, GetStaffUserQuery],
) {
  @MessagePattern(contracts.ClaimReview.pattern)
  claim(@Payload() { requestId, ...step }: Of<'ClaimReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'claim', ...step }, context);
  }

  @MessagePattern(contracts.ReleaseReview.pattern)
  release(@Payload() { requestId, ...step }: Of<'ReleaseReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'release', ...step }, context);
  }

  @MessagePattern(contracts.EscalateReview.pattern)
  escalate(@Payload() { requestId, ...step }: Of<'EscalateReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'escalate', ...step }, context);
  }

  @MessagePattern(contracts.AskInformation.pattern)
  askInformation(@Payload() { requestId, ...step }: Of<'AskInformation'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'ask-information', ...step }, context);
  }

  @MessagePattern(contracts.JudgeScreeningHit.pattern)
  judgeHit(@Payload() { requestId, ...step }: Of<'JudgeScreeningHit'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'judge-hit', ...step }, context);
  }

  @MessagePattern(contracts.ApproveReview.pattern)
  approve(@Payload() { requestId, ...step }: Of<'ApproveReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'approve', ...step }, context);
  }

  @MessagePattern(contracts.RejectReview.pattern)
  reject(@Payload() { requestId, ...step }: Of<'RejectReview'>, @Ctx() context: RequestContext) {
    return this.review(requestId, { kind: 'reject', ...step }, context);
  }

  private review(requestId: string, command: StaffCommand, context: RequestContext): Promise<CaseItem> {
    return this.commands.execute(new ReviewRequestCommand({ requestId, command }, context));
  }
}
