import type { AccountRecord, OnboardingMode } from '@ponte/contracts';
import { CAPABILITIES } from '@ponte/contracts';
import type { FieldType } from '../validation/field-types';
import { flag, oneOf, text, uuid } from '../validation/field-types';
import { textList } from '../validation/list-field-types';
import { EnvelopeOf, ListOf } from '../validation/envelopes';
import { exampleOf, Nullable, Optional, OptionalObject, Required } from '../validation/members';
import { ACCOUNT_EXAMPLE, AccountDto, accountDto } from '../api/accounts/account.dto';
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
export const shownName: FieldType = {
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

export class OperatorWhitelistDto {
  @Required(text(1, 100), 'An EVM address, in lower case, in upper case or with its EIP-55 checksum', SAMPLE.wallet)
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

export const staffAccountDto = (account: AccountRecord): StaffAccountDto => ({
  ...accountDto(account),
  'onboarding-mode': account.onboardingMode,
  capabilities: [...account.capabilities],
});

export const STAFF_ACCOUNT_EXAMPLE = exampleOf(StaffAccountDto, ACCOUNT_EXAMPLE);
export const OPERATOR_WALLET_EXAMPLE = exampleOf(OperatorWalletDto);
