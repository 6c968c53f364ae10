import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  GetAnyCertificate,
  GetAnyNftTransfer,
  IssueCertificate,
  ListAllCertificates,
  ListAllNftTransfers,
} from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import { certificateFilters } from '../../api/certificates/certificate.mapper';
import { nftTransferFilters } from '../../api/nft-transfers/nft-transfer.mapper';
import { pathAccount, PathId } from '../../api/path';
import * as dto from './certificate.dto';
import { issuePayload, staffCertificateDto, staffNftTransferDto } from './certificate.mapper';

const ONE = described(dto.StaffCertificateEnvelopeDto, { 'reward-certificate': dto.STAFF_CERTIFICATE_EXAMPLE });
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

/** Reward certificates of all accounts and their transfers. */
@Resource('staff/v1', 'transfers')
export class StaffCertificatesController {
  constructor(private readonly services: Services) {}

  @StaffOperation('staff-issue-certificate', {
    summary: 'Issue a reward certificate to a wallet of an account',
    body: described(dto.StaffCertificateRequestDto, dto.STAFF_CERTIFICATE_REQUEST_EXAMPLE),
    answer: ONE,
    errors: ISSUE_ERRORS,
  })
  @Post('accounts/:id/reward-certificates')
  async issue(@Req() { call, params, body }: AccountRequest): Promise<dto.StaffCertificateEnvelopeDto> {
    const payload = issuePayload(
      pathAccount(params),
      body as dto.StaffCertificateRequestDto,
      signedIn(call).actor.staffId,
    );
    return { 'reward-certificate': staffCertificateDto(await this.services.request(IssueCertificate, payload, call)) };
  }

  @StaffOperation('staff-list-certificates', {
    summary: 'List the reward certificates of every account',
    query: dto.StaffCertificatesQuery,
    paged: true,
    answer: described(dto.StaffCertificatesDto, { 'reward-certificates': [dto.STAFF_CERTIFICATE_EXAMPLE] }),
  })
  @Get('reward-certificates')
  async list(@Listed() list: ListRequest<dto.StaffCertificatesQuery>): Promise<dto.StaffCertificatesDto> {
    const accountId = list.query['account-id'] ?? null;
    const certificates = await list.find(ListAllCertificates, { accountId, filters: certificateFilters(list.query) });
    return { 'reward-certificates': certificates.map(staffCertificateDto) };
  }

  @StaffOperation('staff-get-certificate', {
    summary: 'Show one reward certificate',
    answer: ONE,
    errors: ['certificate-not-found'],
  })
  @Get('reward-certificates/:id')
  async get(
    @PathId('certificate-not-found') certificateId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<dto.StaffCertificateEnvelopeDto> {
    const record = await this.services.request(GetAnyCertificate, { certificateId }, call);
    return { 'reward-certificate': staffCertificateDto(found(record, 'certificate-not-found')) };
  }

  @StaffOperation('staff-list-nft-transfers', {
    summary: 'List the NFT transfers of every account',
    query: dto.StaffNftTransfersQuery,
    paged: true,
    answer: described(dto.StaffNftTransfersDto, { transfers: [dto.STAFF_NFT_TRANSFER_EXAMPLE] }),
  })
  @Get('nft-transfers')
  async listTransfers(@Listed() list: ListRequest<dto.StaffNftTransfersQuery>): Promise<dto.StaffNftTransfersDto> {
    const accountId = list.query['account-id'] ?? null;
    const transfers = await list.find(ListAllNftTransfers, { accountId, filters: nftTransferFilters(list.query) });
    return { transfers: transfers.map(staffNftTransferDto) };
  }

  @StaffOperation('staff-get-nft-transfer', {
    summary: 'Show one NFT transfer',
    answer: described(dto.StaffNftTransferEnvelopeDto, { transfer: dto.STAFF_NFT_TRANSFER_EXAMPLE }),
    errors: ['transfer-not-found'],
  })
  @Get('nft-transfers/:id')
  async getTransfer(
    @PathId('transfer-not-found') transferId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<dto.StaffNftTransferEnvelopeDto> {
    const record = await this.services.request(GetAnyNftTransfer, { transferId }, call);
    return { transfer: staffNftTransferDto(found(record, 'transfer-not-found')) };
  }
}
