import { getBankByCode } from '@brazilian-utils/brazilian-utils/get-bank-by-code';
import { getBankByIspb } from '@brazilian-utils/brazilian-utils/get-bank-by-ispb';
import { isValidBankAccount } from '@brazilian-utils/brazilian-utils/is-valid-bank-account';
import type { ClearWithdrawalTarget, WithdrawalMethod } from '@ponte/contracts';
import type { AssetId, ErrorCode, EvmAddress, PixKey, Violation } from '@ponte/kernel';
import {
  Money,
  PIX_KEY_FORM,
  Refusal,
  evmAddressViolations,
  isToken,
  parseEvmAddress,
  parseTaxId,
  pixKeyOf,
  toOnChain,
  violation,
} from '@ponte/kernel';
import type { Payee } from '../person/payee.domain';

export const NOT_OFFERED = violation(
  'asset-not-supported',
  'asset',
  'token withdrawals are not offered by this installation',
);
export const NOT_ACTIVE = violation('account-not-active', '', 'the account is not active');

/** A target that passed every rule of its method. */
export type ValidTarget =
  | { readonly method: 'pix'; readonly pixKey: PixKey }
  | { readonly method: 'ted'; readonly account: Payee }
  | { readonly method: 'token'; readonly address: EvmAddress };

/** The parts of a request. A part that breaks a rule is undefined. */
interface ExaminedRequest {
  readonly violations: readonly Violation[];
  readonly amount: Money | undefined;
  readonly target: ValidTarget | undefined;
}

interface Request {
  readonly asset: AssetId;
  readonly method: WithdrawalMethod | null;
  readonly amount: string;
  readonly target: ClearWithdrawalTarget;
}

const COMPE = /^\d{3}$/;
const ISPB = /^[0-9A-Z]{8}$/;
const BRANCH = /^\d{1,4}$/;
const ACCOUNT = /^(\d{1,19})-?([0-9XP])$/;
/** The longest name that fits in a TED message. */
const NAME_MAX = 80;
/**
 * Banks (COMPE) whose check digit rule is published and has no exceptions, with the fewest and the most digits that the
 * rule takes. For all other banks only the form is checked.
 */
const PUBLISHED_CHECK_DIGITS: ReadonlyMap<string, readonly [fewest: number, most: number]> = new Map([
  ['001', [8, 10]],
  ['237', [7, 7]],
  ['260', [5, 13]],
  ['341', [5, 5]],
]);
const LEADING_ZEROS = /^0+/;

/** Finds all violations at once. A violation never contains the refused value, which may be personal data. */
export function examineWithdrawal({ asset, method, amount, target }: Request): ExaminedRequest {
  const violations: Violation[] = [];
  const chosen = method ?? 'token';
  if (isToken(asset) !== (chosen === 'token')) violations.push(mismatch(method === null ? 'method' : 'asset', asset));
  else if (!isToken(asset) && asset !== 'fiat/brl')
    violations.push({
      code: 'asset-not-supported',
      path: 'asset',
      message: 'fiat/brl is the only fiat asset that can be withdrawn',
    });
  const isOffered = violations.length === 0;
  const money = collect(violations, () => amountOf(asset, amount));
  const valid = targetOf(chosen, target, violations);
  // Without an asset that can be withdrawn by this method, neither a balance nor a destination means anything.
  return { violations, amount: isOffered ? money : undefined, target: isOffered ? valid : undefined };
}

const mismatch = (path: string, asset: AssetId): Violation => ({
  code: 'method-asset-mismatch',
  path,
  message: isToken(asset)
    ? 'a token must be withdrawn by method token'
    : 'fiat/brl must be withdrawn by method pix or ted',
});

/** Refuses decimals that the asset, or the token on its chain, does not have. */
function amountOf(asset: AssetId, text: string): Money {
  const money = Money.parse(asset, text);
  if (isToken(asset)) toOnChain(money);
  return money;
}

function collect<T>(violations: Violation[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    violations.push(...error.violations);
    return undefined;
  }
}

function targetOf(
  method: WithdrawalMethod,
  target: ClearWithdrawalTarget,
  violations: Violation[],
): ValidTarget | undefined {
  switch (method) {
    case 'pix': {
      const pixKey = pixKeyOf(target.pixKey ?? '');
      if (!pixKey)
        violations.push({
          code: 'invalid-pix-key',
          path: 'pix-key',
          message: PIX_KEY_FORM,
        });
      return pixKey && { method, pixKey };
    }
    case 'ted': {
      const account = bankAccountOf(target, violations);
      return account && { method, account };
    }
    case 'token': {
      const text = target.destinationWalletAddress ?? '';
      violations.push(...evmAddressViolations(text, 'destination-wallet-address'));
      const parsed = parseEvmAddress(text);
      return parsed.ok ? { method, address: parsed.address } : undefined;
    }
  }
}

function bankAccountOf(target: ClearWithdrawalTarget, violations: Violation[]): Payee | undefined {
  const bankCode = (target.bankCode ?? '').toUpperCase();
  const [, digits, check] = ACCOUNT.exec((target.accountNumber ?? '').toUpperCase()) ?? [];
  const branchCode = (target.branchNumber ?? '').padStart(4, '0');
  const legalName = (target.accountHolderName ?? '').trim();
  const taxId = parseTaxId(target.accountHolderTaxId ?? '')?.value;
  const found: Violation[] = [];
  const wrong = (path: string, message: string, code: ErrorCode = 'invalid-bank-account') =>
    found.push({ code, path, message });
  if (!ISPB.test(bankCode) && !(COMPE.test(bankCode) && getBankByCode(bankCode)))
    wrong('bank-code', 'must be the COMPE code of an existing bank (3 digits) or an ISPB of 8 characters');
  if (!BRANCH.test(target.branchNumber ?? '')) wrong('branch-number', 'must be 1 to 4 digits, without a check digit');
  if (digits === undefined || check === undefined)
    wrong('account-number', 'must be 1 to 19 digits and a check digit, which may be X or P');
  else if (found.length === 0) {
    const fault = checkDigitFault(bankCode, branchCode, digits, check);
    if (fault !== undefined) wrong('account-number', fault);
  }
  if (legalName.length < 1 || legalName.length > NAME_MAX)
    wrong('account-holder-name', `must be 1 to ${NAME_MAX} characters`);
  if (taxId === undefined)
    wrong('account-holder-tax-id', 'must be a CPF or CNPJ with valid check digits', 'invalid-tax-id');
  violations.push(...found);
  return found.length > 0 || taxId === undefined
    ? undefined
    : { bankCode, branchCode, accountNumber: `${digits}-${check}`, legalName, taxId };
}

/**
 * What is wrong with the check digit of an account. People write the number with more or fewer leading zeros than the
 * rule of the bank takes; these do not change the digit.
 */
function checkDigitFault(bankCode: string, agency: string, digits: string, digit: string): string | undefined {
  const compe = ISPB.test(bankCode) ? getBankByIspb(bankCode)?.code : bankCode;
  const [fewest, most] = PUBLISHED_CHECK_DIGITS.get(compe ?? '') ?? [];
  if (compe === undefined || fewest === undefined || most === undefined) return undefined;
  const account = digits.replace(LEADING_ZEROS, '').padStart(fewest, '0');
  if (account.length > most) return `must have at most ${most} digits before the check digit`;
  return isValidBankAccount({ bankCode: compe, agency, account, digit })
    ? undefined
    : 'must end with the check digit of the account';
}
