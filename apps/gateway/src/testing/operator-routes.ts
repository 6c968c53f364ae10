import { BacktestEnvelopeDto } from '../api/pricing-rules/backtest.dto';
import {
  BACKTEST_REQUEST_EXAMPLE,
  RULES_REQUEST_EXAMPLE,
  RulesCheckEnvelopeDto,
  RulesHistoryDto,
  RulesVersionEnvelopeDto,
} from '../api/pricing-rules/rules.dto';
import { QuoteEnvelopeDto } from '../api/quotes/explanation.dto';
import { SAMPLE } from '../api/samples';
import { BankEnvelopeDto } from '../api/sandbox/bank.dto';
import { ClockEnvelopeDto } from '../api/sandbox/clock.dto';
import { ApiKeyEnvelopeDto } from '../console-api/api-key.dto';
import { OperatorWalletEnvelopeDto, StaffAccountEnvelopeDto, StaffAccountsDto } from '../console-api/staff.dto';
import {
  STAFF_CERTIFICATE_REQUEST_EXAMPLE,
  StaffCertificateEnvelopeDto,
} from '../console-api/certificates/certificate.dto';
import { PARTNER } from './accounts';
import type { RouteCase } from './route-case';
import { at, get, post } from './route-case';

/** Routes for operators with the staff token of the installation. */
export const OPERATOR_ROUTES: readonly RouteCase[] = [
  get('operator-get-pricing-rules', 'staff', at('/staff/pricing-rules'), RulesHistoryDto),
  get('operator-get-rules-version', 'staff', at(`/staff/pricing-rules/${SAMPLE.quoteId}`), RulesVersionEnvelopeDto),
  post(
    'operator-check-pricing-rules',
    'staff',
    at('/staff/pricing-rules/check'),
    RULES_REQUEST_EXAMPLE,
    RulesCheckEnvelopeDto,
  ),
  post(
    'operator-backtest-pricing-rules',
    'staff',
    at('/staff/pricing-rules/backtest'),
    BACKTEST_REQUEST_EXAMPLE,
    BacktestEnvelopeDto,
  ),
  get('staff-explain-quote', 'staff', at(`/staff/quotes/${SAMPLE.quoteId}`), QuoteEnvelopeDto),
  post(
    'staff-open-account',
    'staff',
    at('/staff/accounts'),
    {
      'parent-id': PARTNER,
      alias: 'Customer 1',
      'legal-name': 'Canary Person',
      'tax-id': '529.982.247-25',
      capabilities: ['international-travels'],
      'bank-account': { 'bank-code': '001', 'branch-number': '0001', 'account-number': '123456-7' },
    },
    StaffAccountEnvelopeDto,
  ),
  get('staff-list-accounts', 'staff', at('/staff/accounts'), StaffAccountsDto),
  post(
    'staff-change-capabilities',
    'staff',
    at(`/staff/accounts/${PARTNER}/capabilities`),
    { grant: ['pay-after-acceptance'] },
    StaffAccountEnvelopeDto,
  ),
  post(
    'staff-whitelist-wallet',
    'staff',
    at(`/staff/accounts/${PARTNER}/whitelisted-wallets`),
    { address: SAMPLE.wallet },
    OperatorWalletEnvelopeDto,
  ),
  post(
    'staff-issue-account-certificate',
    'staff',
    at(`/staff/accounts/${PARTNER}/reward-certificates`),
    STAFF_CERTIFICATE_REQUEST_EXAMPLE,
    StaffCertificateEnvelopeDto,
  ),
  post(
    'staff-create-api-key',
    'staff',
    at(`/staff/accounts/${PARTNER}/api-keys`),
    { name: 'back end', access: 'read-write', bearer: true },
    ApiKeyEnvelopeDto,
  ),
  post('staff-advance-clock', 'staff', at('/staff/sandbox/clock/advance'), { until: SAMPLE.time }, ClockEnvelopeDto),
  get('staff-get-bank', 'staff', at('/staff/sandbox/bank'), BankEnvelopeDto),
  post(
    'staff-set-bank-behaviour',
    'staff',
    at('/staff/sandbox/bank'),
    { callbacks: 'held', fault: { operation: 'put-charge', fault: 'error' } },
    BankEnvelopeDto,
  ),
  post(
    'staff-revoke-api-key',
    'staff',
    at(`/staff/api-keys/${SAMPLE.keyId}/revoke`),
    { reason: 'rotated' },
    ApiKeyEnvelopeDto,
  ),
];
