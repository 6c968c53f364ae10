import type { CertificateState } from '@ponte/contracts';
import { LISTED_CERTIFICATE_STATES } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import { address, amount, decimal, instant, oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';
import { rewardTier } from '../../validation/person-field-types';
import { SAMPLE } from '../samples';

export class CertificateDto {
  @Required(uuid, 'Id of the certificate', SAMPLE.certificateId)
  id!: string;

  @Required(address, 'The wallet of the account that holds it, or held it last', SAMPLE.wallet)
  'wallet-address'!: string;

  @Required(decimal, 'Amount in BRLV', '100.000000000000000000')
  amount!: string;

  @Required(rewardTier, 'Reward tier in percent', 90)
  'reward-tier'!: RewardTier;

  @Required(
    oneOf(LISTED_CERTIFICATE_STATES),
    '`transferring` while a transfer is open, `transferred` when the account no longer holds it',
    'active',
  )
  status!: string;

  @Required(instant, 'When it was issued', SAMPLE.time)
  'created-at'!: string;
}

export class CertificatesDto extends ListOf('reward-certificates', () => CertificateDto, 'Newest first') {}

export class CertificatesQuery extends PageQuery {
  @Optional(oneOf(LISTED_CERTIFICATE_STATES), 'Only certificates with this status')
  status?: CertificateState;

  @Optional(address, 'Only those that this wallet holds or held last', SAMPLE.wallet)
  'wallet-address'?: string;
}

export class SandboxCertificateRequestDto {
  @Required(uuid, 'The account that receives it', SAMPLE.accountId)
  'account-id'!: string;

  @Required(text(1, 100), 'A wallet of the account on eth-base', SAMPLE.wallet)
  'wallet-address'!: string;

  @Required(amount, 'Amount in BRLV', '100.00')
  amount!: string;
}

/** A certificate that was just issued. The list shows it, as `active`, after its token was minted. */
export class IssuedCertificateDto {
  @Required(uuid, 'Id of the certificate', SAMPLE.certificateId)
  id!: string;

  @Required(address, 'The wallet that receives it', SAMPLE.wallet)
  'wallet-address'!: string;

  @Required(decimal, 'Amount in BRLV', '100.000000000000000000')
  amount!: string;

  @Required(rewardTier, 'Percent: the tier of the account, or 90 if it has none', 90)
  'reward-tier'!: RewardTier;

  @Required(
    oneOf(['issued', 'active', 'transferring', 'transferred', 'failed']),
    '`issued` until its token is minted',
    'issued',
  )
  status!: string;

  @Required(instant, 'When it was issued', SAMPLE.time)
  'created-at'!: string;
}

export class IssuedCertificateEnvelopeDto extends EnvelopeOf(
  'reward-certificate',
  () => IssuedCertificateDto,
  'The certificate',
) {}

export const CERTIFICATE_EXAMPLE = exampleOf(CertificateDto);
export const ISSUED_CERTIFICATE_EXAMPLE: IssuedCertificateDto = { ...CERTIFICATE_EXAMPLE, status: 'issued' };
