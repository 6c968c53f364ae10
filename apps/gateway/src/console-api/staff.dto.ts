import type { AccountRecord, ApiKeyAccess, ApiKeyAlgorithm, OnboardingMode } from '@ponte/contracts';
import { CAPABILITIES, MAX_RATE, REVOCATION_REASONS } from '@ponte/contracts';
import type { FieldType } from '../validation/field-types';
import { flag, oneOf, text, textList, uuid, wholeWithin } from '../validation/field-types';
import { EnvelopeOf, ListOf } from '../validation/envelopes';
import { Nullable, NullableObject, Optional, OptionalObject, Required } from '../validation/members';
import { ACCOUNT_EXAMPLE, accountDto, AccountDto } from '../api/accounts/account.dto';
import { isValue, sentWithout, Together } from '../validation/together';
import { SAMPLE } from '../api/samples';

const FIXED = CAPABILITIES.map((name) => name.replaceAll('.', '\\.')).join('|');
/** The names are judged with the rest of the command. */
const capabilities: FieldType = {
  ...textList(50),
  schema: {
    type: 'array',
    maxItems: 50,
    uniqueItems: true,
    items: {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: `^(?:${FIXED}|rate-lock-[a-z0-9]+(?:-[a-z0-9]+)*)$`,
    },
  },
};

const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
const ENDS = `[^${CONTROLS}\\s\\ufeff]`;
/** A name for screens: no control characters, no spaces at the ends. Judged with the rest of the command. */
const shownName: FieldType = {
  ...text(1, 80),
  schema: { type: 'string', minLength: 1, maxLength: 80, pattern: `^${ENDS}(?:[^${CONTROLS}]*${ENDS})?$` },
};

export class BankAccountDto {
  @Required(text(3, 8), 'COMPE (3 digits) or ISPB (8 characters)', '001')
  'bank-code'!: string;

  @Required(text(1, 4), 'The branch', '0001')
  'branch-number'!: string;

  @Required(text(1, 22), 'The account with its check digit', '123456-7')
  'account-number'!: string;
}

export class OpenAccountDto {
  @Optional(uuid, 'The partner of a sub-account; absent opens a partner', SAMPLE.parentId)
  'parent-id'?: string;

  @Required(shownName, 'A name for screens, never a person', 'Sandbox customer')
  alias!: string;

  @Required(text(1, 200), 'Name of the holder')
  'legal-name'!: string;

  @Required(text(11, 18), 'CPF or CNPJ of the holder')
  'tax-id'!: string;

  @Optional(oneOf(['kyc', 'reliance']), 'How a partner onboards; a sub-account has none', 'kyc')
  'onboarding-mode'?: OnboardingMode;

  @Optional(text(1, 100), "The partner's own id", 'customer-4711')
  'external-id'?: string;

  @Optional(capabilities, 'Granted from the start', ['international-travels'])
  capabilities?: string[];

  @OptionalObject(() => BankAccountDto, "The holder's own bank account")
  'bank-account'?: BankAccountDto;
}

export class ChangeCapabilitiesDto {
  @Optional(capabilities, 'To grant', ['pay-after-acceptance'])
  grant?: string[];

  @Optional(capabilities, 'To revoke', ['international-travels'])
  revoke?: string[];
}

const rate = wholeWithin(1, MAX_RATE);

/** Writes and reads have a bucket each: it holds its burst, and fills up by so many a second. */
export class RateLimitsDto {
  @Required(rate, 'POST, PATCH and DELETE: tokens a second', 20)
  'writes-per-second'!: number;

  @Required(rate, 'POST, PATCH and DELETE: tokens of a full bucket', 60)
  'write-burst'!: number;

  @Required(rate, 'GET: tokens a second', 50)
  'reads-per-second'!: number;

  @Required(rate, 'GET: tokens of a full bucket', 150)
  'read-burst'!: number;
}

@Together({
  if: isValue('bearer', true),
  then: sentWithout([], ['public-key', 'algorithm']),
  else: sentWithout(['public-key', 'algorithm'], []),
})
export class CreateApiKeyDto {
  @Required(shownName, 'What the key is for', 'back end')
  name!: string;

  @Optional(oneOf(['read-only', 'read-write']), 'read-only unless sent', 'read-write')
  access?: ApiKeyAccess;

  @Optional(text(1, 4000), 'PEM of the public key that verifies tokens')
  'public-key'?: string;

  @Optional(oneOf(['RS256', 'ES256', 'EdDSA']), 'Algorithm of the public key', 'ES256')
  algorithm?: ApiKeyAlgorithm;

  @Optional(flag, 'True for a sandbox key that is a plain bearer secret', true)
  bearer?: boolean;

  @Optional(textList(100, undefined, 50), 'Addresses and CIDR blocks; any when absent', ['10.0.0.0/8'])
  'ip-allowlist'?: string[];

  @OptionalObject(() => RateLimitsDto, 'Limits of this key alone; those of the environment when absent')
  'rate-limits'?: RateLimitsDto;
}

export class RevokeApiKeyDto {
  @Required(oneOf(REVOCATION_REASONS), 'Why', 'rotated')
  reason!: string;
}

export class OperatorWhitelistDto {
  @Required(text(1, 100), 'An EVM address, in one case or with its EIP-55 checksum', SAMPLE.wallet)
  address!: string;

  @Optional(flag, 'Also as the target of FX orders; a wallet that has this keeps it', true)
  fx?: boolean;
}

export class OperatorWalletDto {
  @Required(text(42, 42), 'Lower-case; on every chain', SAMPLE.wallet)
  address!: string;

  @Required(flag, 'Also as the target of FX orders', true)
  fx!: boolean;
}

export class OperatorWalletEnvelopeDto extends EnvelopeOf('wallet', () => OperatorWalletDto, 'As it now stands') {}

export class StaffAccountDto extends AccountDto {
  @Nullable(oneOf(['kyc', 'reliance']), 'How a partner onboards', null)
  'onboarding-mode'!: string | null;

  @Required(capabilities, 'What is enabled', ['international-travels'])
  capabilities!: string[];
}

export class StaffAccountEnvelopeDto extends EnvelopeOf('account', () => StaffAccountDto, 'The account') {}

export class StaffAccountsDto extends ListOf('accounts', () => StaffAccountDto, 'Newest first') {}

export class ApiKeyDto {
  @Required(text(1, 60), 'The key id', SAMPLE.keyId)
  id!: string;

  @Required(uuid, 'The account it acts for', SAMPLE.accountId)
  'account-id'!: string;

  @Required(shownName, 'What the key is for', 'back end')
  name!: string;

  @Required(oneOf(['read-only', 'read-write']), 'What it may do', 'read-write')
  access!: string;

  @Required(flag, 'Whether it was revoked', false)
  revoked!: boolean;

  @NullableObject(() => RateLimitsDto, 'Limits of its own; null: those of the environment')
  'rate-limits'!: RateLimitsDto | null;

  @Optional(text(1, 200), 'Of a new bearer key: its secret, shown in this answer alone')
  secret?: string;
}

export class ApiKeyEnvelopeDto extends EnvelopeOf('api-key', () => ApiKeyDto, 'The key') {}

export const staffAccountDto = (account: AccountRecord): StaffAccountDto => ({
  ...accountDto(account),
  'onboarding-mode': account.onboardingMode,
  capabilities: [...account.capabilities],
});

export const STAFF_ACCOUNT_EXAMPLE: StaffAccountDto = {
  ...ACCOUNT_EXAMPLE,
  'onboarding-mode': null,
  capabilities: ['international-travels'],
};
export const OPERATOR_WALLET_EXAMPLE: OperatorWalletDto = { address: SAMPLE.wallet, fx: true };
export const RATE_LIMITS_EXAMPLE: RateLimitsDto = {
  'writes-per-second': 20,
  'write-burst': 60,
  'reads-per-second': 50,
  'read-burst': 150,
};
export const API_KEY_EXAMPLE: ApiKeyDto = {
  id: SAMPLE.keyId,
  'account-id': SAMPLE.accountId,
  name: 'back end',
  access: 'read-write',
  revoked: false,
  'rate-limits': RATE_LIMITS_EXAMPLE,
};
