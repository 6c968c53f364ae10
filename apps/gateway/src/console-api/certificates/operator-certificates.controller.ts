import { Post, Req } from '@nestjs/common';
import { IssueCertificate } from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { pathAccount } from '../../api/path';
import {
  STAFF_CERTIFICATE_EXAMPLE,
  STAFF_CERTIFICATE_REQUEST_EXAMPLE,
  StaffCertificateEnvelopeDto,
  StaffCertificateRequestDto,
} from './certificate.dto';
import { issuePayload, staffCertificateDto } from './certificate.mapper';
import { ISSUE_ERRORS } from './certificates.controller';

/** The issuer that is recorded for the command line. */
const COMMAND_LINE = 'admin';

/** Serves `npm run admin -- certificate issue` while the process runs. */
@Resource('staff', 'staff')
export class OperatorCertificatesController {
  constructor(private readonly services: Services) {}

  @Operation({
    id: 'staff-issue-account-certificate',
    summary: 'Issue a reward certificate',
    reach: 'staff',
    body: described(StaffCertificateRequestDto, STAFF_CERTIFICATE_REQUEST_EXAMPLE),
    answer: described(StaffCertificateEnvelopeDto, { 'reward-certificate': STAFF_CERTIFICATE_EXAMPLE }),
    errors: ISSUE_ERRORS,
  })
  @Post('accounts/:id/reward-certificates')
  async issue(@Req() { call, params, body }: AccountRequest): Promise<StaffCertificateEnvelopeDto> {
    const payload = issuePayload(pathAccount(params), body as StaffCertificateRequestDto, COMMAND_LINE);
    return { 'reward-certificate': staffCertificateDto(await this.services.request(IssueCertificate, payload, call)) };
  }
}
