import { Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { IssueCertificate } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { AccountAccess } from '../../authorization/account-access.service';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { IssuedCertificateEnvelopeDto, SandboxCertificateRequestDto } from '../certificates/certificate.dto';
import { certificateDto, keyedCertificateId } from '../certificates/certificate.mapper';

/** The reward tier of an account that was not created by an account request. */
const TIER_OTHERWISE: RewardTier = 90;

/** Issues reward certificates in place of an operator. A production process does not have this route. */
@Resource('api/v1/sandbox/reward-certificates', 'sandbox')
export class SandboxCertificatesController {
  constructor(
    private readonly services: Services,
    private readonly access: AccountAccess,
  ) {}

  @Operation({
    id: 'issue-sandbox-certificate',
    summary: 'Issue a reward certificate to a wallet of an account',
    reach: 'own',
    body: described(SandboxCertificateRequestDto),
    answer: described(IssuedCertificateEnvelopeDto),
    errors: [
      'amount-must-be-string',
      'amount-scale-exceeded',
      'amount-below-minimum',
      'invalid-address',
      'bad-address-checksum',
      'wallet-not-allowed',
      'account-access-denied',
      'account-not-found',
      'account-not-active',
      'asset-not-supported',
    ],
  })
  @Post()
  async issue(@Req() { call, body }: FastifyRequest): Promise<IssuedCertificateEnvelopeDto> {
    const input = body as SandboxCertificateRequestDto;
    const accountId = input['account-id'];
    await this.access.checkReach(call.caller?.accountId ?? '', accountId);
    const issued = await this.services.request(
      IssueCertificate,
      {
        certificateId: keyedCertificateId(call),
        accountId,
        walletAddress: input['wallet-address'],
        amount: input.amount,
        rewardTier: null,
        otherwiseTier: TIER_OTHERWISE,
        issuedBy: call.caller?.keyId ?? '',
      },
      call,
    );
    return { 'reward-certificate': certificateDto(issued) };
  }
}
