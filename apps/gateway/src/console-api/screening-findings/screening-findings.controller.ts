import { Get, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ScreeningFinding } from '@ponte/contracts';
import {
  JudgeScreeningFinding,
  ListScreeningFindings,
  OpenScreeningFinding,
  SearchScreeningFindings,
  sealRequest,
} from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';
import { PathId } from '../../api/path';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { signedIn } from '../../staff/call';
import { StaffNames } from '../../staff/names.service';
import { StaffOperation } from '../../staff/operation';
import { OpenCaseDto } from '../case/case.dto';
import {
  FindingVerdictRequestDto,
  OPENED_FINDING_EXAMPLE,
  OpenedFindingEnvelopeDto,
  SCREENING_FINDING_EXAMPLE,
  ScreeningFindingEnvelopeDto,
  ScreeningFindingsDto,
  ScreeningFindingsQuery,
} from './screening-finding.dto';
import { findingDto, openedFindingDto, staffIn } from './screening-finding.mapper';

/** People of accounts whom ongoing screening found on a list. */
@Resource('staff/v1/screening-findings', 'screening findings')
export class ScreeningFindingsController {
  constructor(
    private readonly services: Services,
    private readonly names: StaffNames,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @StaffOperation('staff-list-screening-findings', {
    summary:
      'List the findings that wait for staff, the longest wait first. With parameters, list every matching finding, newest first',
    query: ScreeningFindingsQuery,
    paged: true,
    answer: described(ScreeningFindingsDto, { 'screening-findings': [SCREENING_FINDING_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<ScreeningFindingsQuery>): Promise<ScreeningFindingsDto> {
    const { 'account-id': accountId = null, status = null, list: ofList = null, ...page } = list.query;
    const filters = { accountId, status, list: ofList };
    const isWaiting = [...Object.values(filters), ...Object.values(page)].every((value) => value === null);
    const findings = isWaiting
      ? (await this.services.request(ListScreeningFindings, {}, list.call)).findings
      : await list.find(SearchScreeningFindings, { filters });
    const nameOf = await this.names.of(staffIn(findings));
    return { 'screening-findings': findings.map((finding) => findingDto(finding, nameOf)) };
  }

  @StaffOperation('staff-open-screening-finding', {
    summary: 'Show what was compared. The view is recorded',
    body: described(OpenCaseDto),
    answer: described(OpenedFindingEnvelopeDto, { 'screening-finding': OPENED_FINDING_EXAMPLE }),
    errors: ['screening-finding-not-found', 'personal-data-restricted'],
  })
  @Post(':id/open')
  async open(
    @PathId('screening-finding-not-found') findingId: string,
    @Req() { call, body }: FastifyRequest,
  ): Promise<OpenedFindingEnvelopeDto> {
    const { purpose, note } = body as OpenCaseDto;
    const view = { findingId, staff: signedIn(call).actor, purpose, note: await this.sealed(note) };
    const finding = found(await this.services.request(OpenScreeningFinding, view, call), 'screening-finding-not-found');
    const { personalData, logger } = this;
    const nameOf = await this.names.of(staffIn([finding]));
    return { 'screening-finding': await openedFindingDto(finding, nameOf, { personalData, logger, call }) };
  }

  @StaffOperation('staff-judge-screening-finding', {
    summary: 'Decide whether a finding is the person. Two approvers clear it; one true match requests a freeze',
    body: described(FindingVerdictRequestDto),
    answer: described(ScreeningFindingEnvelopeDto, { 'screening-finding': SCREENING_FINDING_EXAMPLE }),
    errors: [
      'screening-finding-not-found',
      'review-not-open',
      'second-approver-required',
      'review-changed',
      'person-erased',
    ],
  })
  @Post(':id/verdict')
  async judge(
    @PathId('screening-finding-not-found') findingId: string,
    @Req() { call, body }: FastifyRequest,
  ): Promise<ScreeningFindingEnvelopeDto> {
    const { version, verdict, reason, note } = body as FindingVerdictRequestDto;
    const decision = { findingId, staff: signedIn(call).actor, version, verdict, reason };
    const judged: ScreeningFinding = await this.services.request(
      JudgeScreeningFinding,
      { ...decision, note: await this.sealed(note) },
      call,
    );
    return { 'screening-finding': findingDto(judged, await this.names.of(staffIn([judged]))) };
  }

  private async sealed(note: string | undefined): Promise<Sealed | null> {
    return note === undefined ? null : sealRequest(this.personalData, { secret: note });
  }
}
