import { Inject, Post, Req } from '@nestjs/common';
import type { CaseItem, StaffActor } from '@ponte/contracts';
import {
  ApproveReview,
  AskInformation,
  ClaimReview,
  EscalateReview,
  JudgeScreeningHit,
  RejectReview,
  ReleaseReview,
  sealRequest,
} from '@ponte/contracts';
import type { PersonalData, RequestDefinition, Sealed } from '@ponte/event-sourcing';
import type { Clock, PublicErrorCode } from '@ponte/kernel';
import { CLOCK, PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import type { OperationSpec } from '../../openapi/operation-spec';
import { signedIn } from '../../staff/call';
import { StaffNames } from '../../staff/names.service';
import { StaffOperation } from '../../staff/operation';
import type { StaffOperationId } from '../../staff/roles';
import { pathRequest } from '../../api/path';
import { ENTRY_VERSION } from '../case/findings.dto';
import { AsReadDto, AskInformationDto, ClaimDto, JudgeHitDto, NoteDto, RejectDto } from './decisions.dto';
import { CASE_ITEM_EXAMPLE, QueueItemEnvelopeDto } from './queue.dto';
import { caseItemDto } from './queue.mapper';

interface Subject {
  readonly requestId: string;
  readonly staff: StaffActor;
}

const REFUSALS = ['account-request-not-found', 'review-not-open', 'review-claimed'] as const;
const Decision = (
  id: StaffOperationId,
  summary: string,
  body?: OperationSpec['body'],
  errors: readonly PublicErrorCode[] = [],
): MethodDecorator =>
  StaffOperation(id, {
    summary,
    ...(body ? { body } : {}),
    answer: described(QueueItemEnvelopeDto, { 'account-request': CASE_ITEM_EXAMPLE }),
    errors: [...REFUSALS, ...errors],
  });

const AS_READ = described(AsReadDto, { version: 7, note: 'Documents match' });

/** The actions of compliance staff on a pending account request. Each returns the queue item in its new state. */
@Resource('staff/v1/account-requests/:id', 'decisions')
export class DecisionsController {
  constructor(
    private readonly services: Services,
    private readonly names: StaffNames,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Decision(
    'staff-claim',
    'Claim a case, so that no other reviewer decides it',
    described(ClaimDto, { 'take-over': false }),
  )
  @Post('claim')
  claim(@Req() request: AccountRequest): Promise<QueueItemEnvelopeDto> {
    return this.decided(ClaimReview, request, (subject) => ({
      ...subject,
      takeOver: (request.body as ClaimDto)['take-over'] ?? false,
    }));
  }

  @Decision('staff-release', 'Release a case that you have claimed')
  @Post('release')
  release(@Req() request: AccountRequest): Promise<QueueItemEnvelopeDto> {
    return this.decided(ReleaseReview, request, (subject) => subject);
  }

  @Decision('staff-escalate', 'Escalate a case to the approvers', AS_READ, ['review-changed'])
  @Post('escalate')
  async escalate(@Req() request: AccountRequest): Promise<QueueItemEnvelopeDto> {
    const { version } = request.body as AsReadDto;
    const note = await this.noteOf(request);
    return this.decided(EscalateReview, request, (subject) => ({ ...subject, version, note }));
  }

  @Decision('staff-ask-information', 'Ask the partner for information', described(AskInformationDto), [
    'true-match-found',
    'review-changed',
  ])
  @Post('ask-information')
  async ask(@Req() request: AccountRequest): Promise<QueueItemEnvelopeDto> {
    const { version, items, issues } = request.body as AskInformationDto;
    const note = await this.noteOf(request);
    return this.decided(AskInformation, request, (subject) => ({ ...subject, version, items, issues, note }));
  }

  @Decision(
    'staff-judge-hit',
    'Decide whether a screening hit is the person. Every hit needs a verdict before an approval',
    described(JudgeHitDto, {
      person: 'holder',
      list: 'un-consolidated',
      'entry-id': 'QDi.001',
      score: 93,
      'entry-version': ENTRY_VERSION,
      verdict: 'false-positive',
      reason: 'birth-date-differs',
      note: 'Twenty years apart',
    }),
    ['screening-hit-not-found', 'verdict-final', 'review-changed'],
  )
  @Post('verdicts')
  async judge(@Req() request: AccountRequest): Promise<QueueItemEnvelopeDto> {
    const { person, list, 'entry-id': entryId, score, verdict, reason } = request.body as JudgeHitDto;
    const { 'entry-version': entryVersion = null } = request.body as JudgeHitDto;
    const note = await this.noteOf(request);
    return this.decided(JudgeScreeningHit, request, (subject) => ({
      ...subject,
      person,
      list,
      entryId,
      score,
      entryVersion,
      verdict,
      reason,
      note,
    }));
  }

  @Decision(
    'staff-approve',
    'Approve the case as you have read it; two different approvers are required where the four-eyes rule applies',
    AS_READ,
    [
      'screening-verdict-required',
      'true-match-found',
      'second-approver-required',
      'review-changed',
      'personal-data-restricted',
    ],
  )
  @Post('approve')
  async approve(@Req() request: AccountRequest): Promise<QueueItemEnvelopeDto> {
    const { version } = request.body as AsReadDto;
    const note = await this.noteOf(request);
    return this.decided(ApproveReview, request, (subject) => ({ ...subject, version, note }));
  }

  @Decision(
    'staff-reject',
    'Reject the request, for a reason',
    described(RejectDto, { version: 7, reason: 'document-quality', note: 'The photograph cannot be read' }),
    ['review-changed'],
  )
  @Post('reject')
  async reject(@Req() request: AccountRequest): Promise<QueueItemEnvelopeDto> {
    const { version, reason } = request.body as RejectDto;
    const note = await this.noteOf(request);
    return this.decided(RejectReview, request, (subject) => ({ ...subject, version, reason, note }));
  }

  private async decided<P>(
    definition: RequestDefinition<P, CaseItem>,
    { call, params }: AccountRequest,
    request: (subject: Subject) => P,
  ): Promise<QueueItemEnvelopeDto> {
    const item = await this.services.request(
      definition,
      request({ requestId: pathRequest(params), staff: signedIn(call).actor }),
      call,
    );
    const nameOf = await this.names.of([item.assignedTo]);
    return { 'account-request': caseItemDto(item, nameOf, this.clock.now()) };
  }

  private async noteOf({ body }: AccountRequest): Promise<Sealed | null> {
    const { note } = body as NoteDto;
    return note === undefined ? null : sealRequest(this.personalData, { secret: note });
  }
}
