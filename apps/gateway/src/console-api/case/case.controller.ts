import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EVIDENCE_CONTENT_TYPES, OpenReviewCase, OpenReviewFile, sealRequest } from '@ponte/contracts';
import type { Blobs, PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Tracing } from '@ponte/observability';
import { BLOBS, CLOCK, PERSONAL_DATA, TRACING } from '@ponte/nest';
import { traceContextOf } from '@ponte/observability';
import type { AccountRequest } from '../../edge/request-context.service';
import { sendInPieces } from '../../bodies/in-pieces';
import { Services } from '../../edge/request-context.service';
import { found, notFound } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { StaffNames } from '../../staff/names.service';
import { StaffOperation } from '../../staff/operation';
import { pathFile, pathRequest } from '../../api/path';
import { CaseEnvelopeDto, FileQuery, OpenCaseDto } from './case.dto';
import { CASE_EXAMPLE } from './case.examples';
import { caseDto, staffIn } from './case.mapper';

/** A file of a case is only data for the staff member who requested it: no browser may run any of it. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
const EXTENSIONS = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf' } as const;
const REFUSALS = ['account-request-not-found', 'personal-data-restricted'] as const;

/** Personal data of an account request. Onboarding durably records the viewer and the purpose before it responds. */
@Resource('staff/v1/account-requests/:id', 'case')
export class CaseController {
  constructor(
    private readonly services: Services,
    private readonly names: StaffNames,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(BLOBS) private readonly blobs: Pick<Blobs, 'get'>,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  @StaffOperation('staff-open-case', {
    summary: 'Open a case',
    body: described(OpenCaseDto),
    answer: described(CaseEnvelopeDto, { case: CASE_EXAMPLE }),
    errors: REFUSALS,
  })
  @Post('case')
  async open(@Req() { call, params, body }: AccountRequest): Promise<CaseEnvelopeDto> {
    const { purpose, note } = body as OpenCaseDto;
    const sealed = note === undefined ? null : await sealRequest(this.personalData, { secret: note });
    const view = { requestId: pathRequest(params), staff: signedIn(call).actor, purpose, note: sealed };
    const opened = found(await this.services.request(OpenReviewCase, view, call), 'account-request-not-found');
    return { case: await caseDto(opened, this.personalData, await this.names.of(staffIn(opened)), this.clock.now()) };
  }

  /** Reads the whole file (at most 10 MB) first: nothing may be shown before its seal is verified to the last byte. */
  @StaffOperation('staff-open-file', {
    summary: 'Show a document of the case',
    query: FileQuery,
    bytes: EVIDENCE_CONTENT_TYPES,
    errors: ['case-file-not-found', 'personal-data-restricted'],
  })
  @Get('files/:fileId')
  async file(@Req() { call, params, query }: AccountRequest, @Res() reply: FastifyReply): Promise<void> {
    const [requestId, fileId, { purpose }] = [pathRequest(params), pathFile(params), query as unknown as FileQuery];
    const view = { requestId, fileId, staff: signedIn(call).actor, purpose };
    const file = await this.services.request(OpenReviewFile, view, call);
    const context = traceContextOf({ correlationId: call.id, traceparent: call.traceparent });
    const blob = file && (await this.tracing.inSpan(context, () => this.blobs.get(fileId)));
    if (!blob) throw notFound('case-file-not-found');
    await sendInPieces(
      reply
        .headers({
          'content-security-policy': FILE_POLICY,
          'content-disposition': `attachment; filename="${fileId}.${EXTENSIONS[file.contentType]}"`,
        })
        .type(file.contentType),
      blob.bytes,
    );
  }
}
