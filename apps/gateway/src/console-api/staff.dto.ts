import type { AccountRecord, OnboardingMode } from '@ponte/contracts';
import { CAPABILITIES } from '@ponte/contracts';
import type { FieldType } from '../validation/field-types';
import { flag, oneOf, text, uuid } from '../validation/field-types';
import { textList } from '../validation/list-field-types';
import { EnvelopeOf, ListOf } from '../validation/envelopes';
import { exampleOf, Nullable, Optional, OptionalObject, Required } from '../validation/fields';
import { ACCOUNT_EXAMPLE, AccountDto, accountDto } from '../api/accounts/account.dto';
import { SAMPLE } from '../api/samples';

const FIXED = CAPABILITIES.map((name) => name.replaceAll('.', '\\.')).join('|');
/** The names are checked with the rest of the command. */
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
/** No control characters, and no spaces at either end. Checked with the rest of the command. */
export const shownName: FieldType = {
  ...text(1, 80),
  schema: { type: 'string', minLength: 1, maxLength: 80, pattern: `^${ENDS}(?:[^${CONTROLS}]*${ENDS})?$` },
};

export class BankAccountDto {
  @Required(text(3, 8), 'The COMPE code (3 digits) or ISPB code (8 characters) of the bank', '001')
  'bank-code'!: string;

  @Required(text(1, 4), 'The number of the branch', '0001')
  'branch-number'!: string;

  @Required(text(1, 22), 'The account number, with its check digit, which may be X or P', '123456-7')
  'account-number'!: string;
}

export class OpenAccountDto {
  @Optional(uuid, 'The partner of the new sub-account. If absent, a partner is opened', SAMPLE.parentId)
  'parent-id'?: string;

  @Required(shownName, 'A display name that identifies no person', 'Sandbox customer')
  alias!: string;

  @Required(text(1, 200), 'Name of the holder')
  'legal-name'!: string;

  @Required(text(11, 18), 'The CPF or CNPJ of the holder')
  'tax-id'!: string;

  @Optional(
    oneOf(['kyc', 'reliance']),
    'How the holders of a partner are identified. A sub-account has no mode of its own',
    'kyc',
  )
  'onboarding-mode'?: OnboardingMode;

  @Optional(text(1, 100), "The partner's own id of the account", 'customer-4711')
  'external-id'?: string;

  @Optional(capabilities, 'The capabilities that the account starts with', ['international-travels'])
  capabilities?: string[];

  @OptionalObject(() => BankAccountDto, 'The bank account of the holder')
  'bank-account'?: BankAccountDto;
}

export class ChangeCapabilitiesDto {
  @Optional(capabilities, 'The capabilities to grant', ['pay-after-acceptance'])
  grant?: string[];

  @Optional(capabilities, 'The capabilities to revoke', ['international-travels'])
  revoke?: string[];
}

export class OperatorWhitelistDto {
  @Required(text(1, 100), 'An EVM address, in lower case, in upper case or with its EIP-55 checksum', SAMPLE.wallet)
  address!: string;

  @Optional(flag, 'Allow it as the target of FX orders, too. A later request without this does not revoke it', true)
  fx?: boolean;
}

export class OperatorWalletDto {
  @Required(text(42, 42), 'The address in lower case, on every chain', SAMPLE.wallet)
  address!: string;

  @Required(flag, 'Whether FX orders may use it as their target', true)
  fx!: boolean;
}

export class OperatorWalletEnvelopeDto extends EnvelopeOf(
  'wallet',
  () => OperatorWalletDto,
  'The wallet after the change',
) {}

export class StaffAccountDto extends AccountDto {
  @Nullable(oneOf(['kyc', 'reliance']), 'How a partner onboards', null)
  'onboarding-mode'!: string | null;

  @Required(capabilities, 'The capabilities that the account has', ['international-travels'])
  capabilities!: string[];
}

export class StaffAccountEnvelopeDto extends EnvelopeOf('account', () => StaffAccountDto, 'The account') {}

export class StaffAccountsDto extends ListOf('accounts', () => StaffAccountDto, 'Newest first') {}

export const staffAccountDto = (account: AccountRecord): StaffAccountDto => ({
  ...accountDto(account),
  'onboarding-mode': account.onboardingMode,
  capabilities: [...account.capabilities],
});

export const STAFF_ACCOUNT_EXAMPLE = exampleOf(StaffAccountDto, ACCOUNT_EXAMPLE);
export const OPERATOR_WALLET_EXAMPLE = exampleOf(OperatorWalletDto);
