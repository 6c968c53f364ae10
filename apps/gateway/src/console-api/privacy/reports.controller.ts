import { Get, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PersonKey, ViewPurpose } from '@ponte/contracts';
import { OpenPrivacyReport, sealRequest } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest, Call } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import { signedIn } from '../../staff/call';
import { StaffNames } from '../../staff/names.service';
import { pathRequest } from '../../api/path';
import type { MakeReportDto, PrivacyReportEnvelopeDto, ReportQuery } from './privacy.dto';
import { privacyReportDto } from './privacy.mapper';
import { MAKING_REPORT, READING_REPORT } from './privacy.operations';

/** Reports of the data that Ponte holds about a person: kinds and dates, never values. */
@Resource('staff/v1', 'privacy')
export class PrivacyReportsController {
  constructor(
    private readonly services: Services,
    private readonly names: StaffNames,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @StaffOperation('staff-get-privacy-report', READING_REPORT)
  @Get('account-requests/:id/privacy-report')
  ofRequest(@Req() { call, params, query }: AccountRequest): Promise<PrivacyReportEnvelopeDto> {
    const { person = 'holder', purpose } = query as unknown as ReportQuery;
    return this.report({ kind: 'request', requestId: pathRequest(params), person }, purpose, call);
  }

  /** A POST, because an identifier must not appear in a URL. */
  @StaffOperation('staff-make-privacy-report', MAKING_REPORT)
  @Post('privacy-reports')
  async ofPerson(@Req() { call, body }: FastifyRequest): Promise<PrivacyReportEnvelopeDto> {
    const { identifier, 'deposit-id': depositId, purpose } = body as MakeReportDto;
    if (depositId !== undefined) return this.report({ kind: 'deposit', depositId }, purpose, call);
    if (!identifier) throw new TypeError('the body has neither identifier nor deposit-id');
    const { value, country } = identifier;
    const sealed = await sealRequest(this.personalData, { value, country });
    return this.report({ kind: 'identifier', identifier: sealed }, purpose, call);
  }

  private async report(person: PersonKey, purpose: ViewPurpose, call: Call): Promise<PrivacyReportEnvelopeDto> {
    const view = { person, staff: signedIn(call).actor, purpose };
    const report = found(await this.services.request(OpenPrivacyReport, view, call), 'person-not-found');
    const nameOf = await this.names.of(report.views.map(({ staffId }) => staffId));
    return { 'privacy-report': privacyReportDto(report, nameOf) };
  }
}
