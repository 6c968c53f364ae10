import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  GetAnyCertificate,
  GetAnyNftTransfer,
  IssueCertificate,
  ListAllCertificates,
  ListAllNftTransfers,
} from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import { described, Operation, Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { staffOperation } from '../../staff/operation';
import { certificateFilters } from '../../api/certificates/certificate.mapper';
import { nftTransferFilters } from '../../api/nft-transfers/nft-transfer.mapper';
import { pathAccount } from '../../api/path';
import * as dto from './certificate.dto';
import { issuePayload, staffCertificateDto, staffNftTransferDto } from './certificate.mapper';

const ONE = described(dto.StaffCertificateEnvelopeDto, { 'reward-certificate': dto.STAFF_CERTIFICATE_EXAMPLE });
/** How an issue can be refused. */
export const ISSUE_ERRORS = [
  'account-not-found',
  'account-not-active',
  'wallet-not-allowed',
  'invalid-address',
  'bad-address-checksum',
  'amount-must-be-string',
  'amount-scale-exceeded',
  'amount-below-minimum',
  'asset-not-supported',
  'idempotency-key-reused',
] as const;

/** Reward certificates and their transfers of every account. */
@Resource('staff/v1', 'transfers')
export class StaffCertificatesController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
  ) {}

  @Operation(
    staffOperation('staff-issue-certificate', {
      summary: 'Issue a reward certificate to a wallet of an account',
      body: described(dto.StaffCertificateRequestDto, dto.STAFF_CERTIFICATE_REQUEST_EXAMPLE),
      answer: ONE,
      errors: ISSUE_ERRORS,
    }),
  )
  @Post('accounts/:id/reward-certificates')
  async issue(@Req() { call, params, body }: AccountRequest): Promise<dto.StaffCertificateEnvelopeDto> {
    const payload = issuePayload(
      pathAccount(params),
      body as dto.StaffCertificateRequestDto,
      signedIn(call).actor.staffId,
    );
    return { 'reward-certificate': staffCertificateDto(await this.services.request(IssueCertificate, payload, call)) };
  }

  @Operation(
    staffOperation('staff-list-certificates', {
      summary: 'Reward certificates of every account, newest first',
      query: dto.StaffCertificatesQuery,
      paged: true,
      answer: described(dto.StaffCertificatesDto, { 'reward-certificates': [dto.STAFF_CERTIFICATE_EXAMPLE] }),
    }),
  )
  @Get('reward-certificates')
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<dto.StaffCertificatesDto> {
    const query = request.query as dto.StaffCertificatesQuery;
    const asked = {
      accountId: query['account-id'] ?? null,
      filters: certificateFilters(query),
      page: this.pagination.page(request),
    };
    const page = await this.services.request(ListAllCertificates, asked, request.call);
    return { 'reward-certificates': this.pagination.items(page, request, reply).map(staffCertificateDto) };
  }

  @Operation(
    staffOperation('staff-get-certificate', {
      summary: 'One reward certificate',
      answer: ONE,
      errors: ['certificate-not-found'],
    }),
  )
  @Get('reward-certificates/:id')
  async get(@Req() { call, params }: AccountRequest): Promise<dto.StaffCertificateEnvelopeDto> {
    const certificateId = params['id'];
    const record = isUuid(certificateId)
      ? await this.services.request(GetAnyCertificate, { certificateId }, call)
      : null;
    if (!record) throw notFound('certificate-not-found');
    return { 'reward-certificate': staffCertificateDto(record) };
  }

  @Operation(
    staffOperation('staff-list-nft-transfers', {
      summary: 'NFT transfers of every account, newest first',
      query: dto.StaffNftTransfersQuery,
      paged: true,
      answer: described(dto.StaffNftTransfersDto, { transfers: [dto.STAFF_NFT_TRANSFER_EXAMPLE] }),
    }),
  )
  @Get('nft-transfers')
  async listTransfers(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<dto.StaffNftTransfersDto> {
    const query = request.query as dto.StaffNftTransfersQuery;
    const asked = {
      accountId: query['account-id'] ?? null,
      filters: nftTransferFilters(query),
      page: this.pagination.page(request),
    };
    const page = await this.services.request(ListAllNftTransfers, asked, request.call);
    return { transfers: this.pagination.items(page, request, reply).map(staffNftTransferDto) };
  }

  @Operation(
    staffOperation('staff-get-nft-transfer', {
      summary: 'One NFT transfer',
      answer: described(dto.StaffNftTransferEnvelopeDto, { transfer: dto.STAFF_NFT_TRANSFER_EXAMPLE }),
      errors: ['transfer-not-found'],
    }),
  )
  @Get('nft-transfers/:id')
  async getTransfer(@Req() { call, params }: AccountRequest): Promise<dto.StaffNftTransferEnvelopeDto> {
    const transferId = params['id'];
    const record = isUuid(transferId) ? await this.services.request(GetAnyNftTransfer, { transferId }, call) : null;
    if (!record) throw notFound('transfer-not-found');
    return { transfer: staffNftTransferDto(record) };
  }
}
