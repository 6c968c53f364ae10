import { QuoteEnvelopeDto } from '../api/quotes/explanation.dto';
import { BacktestEnvelopeDto } from '../api/pricing-rules/backtest.dto';
import {
  BACKTEST_REQUEST_EXAMPLE,
  RULES_REQUEST_EXAMPLE,
  RulesCheckEnvelopeDto,
  RulesHistoryDto,
  RulesVersionEnvelopeDto,
} from '../api/pricing-rules/rules.dto';
import { AccountStandingEnvelopeDto, FrozenAccountsDto } from '../console-api/accounts/freeze.dto';
import { CaseEnvelopeDto } from '../console-api/case/case.dto';
import { EndedSessionsDto, MembersDto } from '../console-api/members/member.dto';
import { ErasurePreparationEnvelopeDto, PrivacyReportEnvelopeDto } from '../console-api/privacy/privacy.dto';
import {
  ADDRESS_VERDICT_EXAMPLE,
  AddressReviewEnvelopeDto,
  AddressReviewsDto,
} from '../console-api/address-reviews/address-review.dto';
import { StaffTransferEnvelopeDto, StaffTransfersDto } from '../console-api/transfers/transfer.dto';
import { PartnersDto } from '../console-api/review/partners.dto';
import { HistoryDto, QueueDto, QueueItemEnvelopeDto } from '../console-api/review/queue.dto';
import { SessionEnvelopeDto, WaysDto } from '../console-api/session/session.dto';
import { OperatorWalletEnvelopeDto } from '../console-api/staff.dto';
import { ListedWalletsDto } from '../console-api/wallets/wallet.dto';
import { SAMPLE } from '../api/samples';
import {
  STAFF_CERTIFICATE_REQUEST_EXAMPLE,
  StaffCertificateEnvelopeDto,
  StaffCertificatesDto,
  StaffNftTransferEnvelopeDto,
  StaffNftTransfersDto,
} from '../console-api/certificates/certificate.dto';
import {
  FailedReturnEnvelopeDto,
  FailedReturnsDto,
  SETTLEMENT_DECISION_EXAMPLE,
  SETTLEMENT_REQUEST_EXAMPLE,
} from '../console-api/deposits/failed-return.dto';
import { DoubleReturnsDto } from '../console-api/deposits/double-return.dto';
import { StaffDepositEnvelopeDto, StaffDepositsDto } from '../console-api/deposits/deposit.dto';
import { RefusedPayoutsDto } from '../console-api/withdrawals/refused-payout.dto';
import { StaffWithdrawalEnvelopeDto, StaffWithdrawalsDto } from '../console-api/withdrawals/withdrawal.dto';
import { FxDaysDto, IofPeriodsDto } from '../console-api/reports/report.dto';
import {
  StaffUsdDepositEnvelopeDto,
  StaffUsdDepositsDto,
  USD_DEPOSIT_REQUEST_EXAMPLE,
} from '../console-api/usd-deposits/usd-deposit.dto';
import type { StaffOperationId } from '../staff/roles';
import { PARTNER } from './accounts';
import { USD_DEPOSIT_ID } from './records/money-records';
import { FINDING_ROUTES } from './finding-routes';
import { SET_ASIDE_ROUTES } from './set-aside-routes';
import type { StaffRoute } from './staff-route';
import { get, post } from './staff-route';

const REQUESTS = '/staff/v1/account-requests';
const ONE = `${REQUESTS}/${SAMPLE.requestId}`;
const ACCOUNT = `/staff/v1/accounts/${PARTNER}`;
const FAILED_RETURN = `/staff/v1/failed-returns/${SAMPLE.depositId}`;
const SETTLEMENT = `${FAILED_RETURN}/settlement`;
/** The routes that need a session. `staff-erase` also needs a token and has its own test. */
export const SESSION_ROUTES: Readonly<Record<Exclude<StaffOperationId, 'staff-erase'>, StaffRoute>> = {
  'staff-get-session': get('/staff/v1/session', SessionEnvelopeDto),
  'staff-list-members': get('/staff/v1/staff', MembersDto),
  'staff-list-account-requests': get(
    `${REQUESTS}?status=pending,approved&stage=manual-review&assignee=me&order=newest&limit=2`,
    QueueDto,
  ),
  'staff-list-partners': get('/staff/v1/partners?limit=200', PartnersDto),
  'staff-get-history': get(`${ONE}/history`, HistoryDto),
  'staff-claim': post(`${ONE}/claim`, { 'take-over': true }, QueueItemEnvelopeDto),
  'staff-release': post(`${ONE}/release`, undefined, QueueItemEnvelopeDto),
  'staff-escalate': post(`${ONE}/escalate`, { version: 7, note: 'Looks like an entry' }, QueueItemEnvelopeDto),
  'staff-ask-information': post(
    `${ONE}/ask-information`,
    { version: 7, items: ['document'], issues: [] },
    QueueItemEnvelopeDto,
  ),
  'staff-judge-hit': post(
    `${ONE}/verdicts`,
    {
      person: 'holder',
      list: 'un-consolidated',
      'entry-id': 'QDi.001',
      score: 93,
      verdict: 'false-positive',
      reason: 'birth-date-differs',
    },
    QueueItemEnvelopeDto,
  ),
  'staff-approve': post(`${ONE}/approve`, { version: 7 }, QueueItemEnvelopeDto),
  'staff-reject': post(`${ONE}/reject`, { version: 7, reason: 'pep' }, QueueItemEnvelopeDto),
  'staff-open-case': post(`${ONE}/case`, { purpose: 'review', note: 'Ticket 1' }, CaseEnvelopeDto),
  'staff-open-file': get(`${ONE}/files/${SAMPLE.fileId}?purpose=review`, null),
  'staff-get-privacy-report': get(`${ONE}/privacy-report?purpose=privacy-request`, PrivacyReportEnvelopeDto),
  'staff-make-privacy-report': post(
    '/staff/v1/privacy-reports',
    { identifier: { value: '52998224725', country: 'BRA' }, purpose: 'audit' },
    PrivacyReportEnvelopeDto,
  ),
  'staff-prepare-erasure': post(
    '/staff/v1/erasures/preparation',
    { 'account-request-id': SAMPLE.requestId },
    ErasurePreparationEnvelopeDto,
  ),
  'staff-list-frozen-accounts': get('/staff/v1/frozen-accounts', FrozenAccountsDto),
  'staff-get-account-standing': get(`${ACCOUNT}/standing`, AccountStandingEnvelopeDto),
  'staff-request-freeze': post(
    `${ACCOUNT}/freeze`,
    { reason: 'fraud-suspected', evidence: 'Ticket 1' },
    AccountStandingEnvelopeDto,
  ),
  'staff-request-release': post(
    `${ACCOUNT}/release`,
    { reason: 'resolved', evidence: 'Ticket 1' },
    AccountStandingEnvelopeDto,
  ),
  'staff-confirm-freeze': post(`${ACCOUNT}/freeze/confirm`, { request: 2 }, AccountStandingEnvelopeDto),
  'staff-confirm-release': post(`${ACCOUNT}/release/confirm`, { request: 2 }, AccountStandingEnvelopeDto),
  'staff-close-freeze-request': post(`${ACCOUNT}/freeze-request/close`, { request: 2 }, AccountStandingEnvelopeDto),
  'staff-request-closing': post(
    `${ACCOUNT}/close`,
    { reason: 'holder-request', evidence: 'Ticket 1', 'write-off': [{ asset: 'fiat/brl', amount: '0.01' }] },
    AccountStandingEnvelopeDto,
  ),
  'staff-confirm-closing': post(`${ACCOUNT}/close/confirm`, { request: 2 }, AccountStandingEnvelopeDto),
  'staff-list-whitelisted-wallets': get(`/staff/v1/accounts/${PARTNER}/whitelisted-wallets`, ListedWalletsDto),
  'staff-whitelist-account-wallet': post(
    `/staff/v1/accounts/${PARTNER}/whitelisted-wallets`,
    { address: SAMPLE.wallet },
    OperatorWalletEnvelopeDto,
  ),
  'staff-record-usd-deposit': post('/staff/v1/usd-deposits', USD_DEPOSIT_REQUEST_EXAMPLE, StaffUsdDepositEnvelopeDto),
  'staff-list-usd-deposits': get('/staff/v1/usd-deposits?status=created', StaffUsdDepositsDto),
  'staff-open-usd-deposit': get(`/staff/v1/usd-deposits/${USD_DEPOSIT_ID}?purpose=review`, StaffUsdDepositEnvelopeDto),
  'staff-confirm-usd-deposit': post(
    `/staff/v1/usd-deposits/${SAMPLE.depositId}/confirm`,
    undefined,
    StaffUsdDepositEnvelopeDto,
  ),
  'staff-reject-usd-deposit': post(
    `/staff/v1/usd-deposits/${SAMPLE.depositId}/reject`,
    undefined,
    StaffUsdDepositEnvelopeDto,
  ),
  'staff-list-deposits': get('/staff/v1/deposits?status=confirmed&asset=eth-base/usdc', StaffDepositsDto),
  ...SET_ASIDE_ROUTES,
  'staff-list-failed-returns': get('/staff/v1/failed-returns?status=proposed&cause=return-refused', FailedReturnsDto),
  'staff-open-failed-return': get(`${FAILED_RETURN}?purpose=audit`, FailedReturnEnvelopeDto),
  'staff-list-double-returns': get('/staff/v1/double-returns', DoubleReturnsDto),
  'staff-list-refused-payouts': get('/staff/v1/refused-payouts?status=waiting', RefusedPayoutsDto),
  'staff-propose-settlement': post(SETTLEMENT, SETTLEMENT_REQUEST_EXAMPLE, FailedReturnEnvelopeDto),
  'staff-confirm-settlement': post(`${SETTLEMENT}/confirm`, SETTLEMENT_DECISION_EXAMPLE, FailedReturnEnvelopeDto),
  'staff-reject-settlement': post(`${SETTLEMENT}/reject`, SETTLEMENT_DECISION_EXAMPLE, FailedReturnEnvelopeDto),
  'staff-get-deposit': get(`/staff/v1/deposits/${SAMPLE.depositId}`, StaffDepositEnvelopeDto),
  'staff-issue-certificate': post(
    `${ACCOUNT}/reward-certificates`,
    STAFF_CERTIFICATE_REQUEST_EXAMPLE,
    StaffCertificateEnvelopeDto,
  ),
  'staff-list-certificates': get('/staff/v1/reward-certificates?status=failed', StaffCertificatesDto),
  'staff-get-certificate': get(`/staff/v1/reward-certificates/${SAMPLE.certificateId}`, StaffCertificateEnvelopeDto),
  'staff-list-transfers': get('/staff/v1/transfers?state=failed', StaffTransfersDto),
  'staff-get-transfer': get(`/staff/v1/transfers/${SAMPLE.transferId}`, StaffTransferEnvelopeDto),
  'staff-list-nft-transfers': get('/staff/v1/nft-transfers?state=failed', StaffNftTransfersDto),
  'staff-get-nft-transfer': get(`/staff/v1/nft-transfers/${SAMPLE.nftTransferId}`, StaffNftTransferEnvelopeDto),
  'staff-list-withdrawals': get('/staff/v1/withdrawals?state=created', StaffWithdrawalsDto),
  'staff-list-address-reviews': get('/staff/v1/address-reviews', AddressReviewsDto),
  'staff-get-address-review': get(`/staff/v1/address-reviews/${SAMPLE.withdrawalId}`, AddressReviewEnvelopeDto),
  'staff-decide-address-review': post(
    `/staff/v1/address-reviews/${SAMPLE.withdrawalId}/verdict`,
    ADDRESS_VERDICT_EXAMPLE,
    AddressReviewEnvelopeDto,
  ),
  ...FINDING_ROUTES,
  'staff-get-withdrawal': get(`/staff/v1/withdrawals/${SAMPLE.withdrawalId}`, StaffWithdrawalEnvelopeDto),
  'staff-get-pricing-rules': get('/staff/v1/pricing-rules', RulesHistoryDto),
  'staff-get-quote': get(`/staff/v1/quotes/${SAMPLE.quoteId}`, QuoteEnvelopeDto),
  'staff-get-rules-version': get(`/staff/v1/pricing-rules/${SAMPLE.quoteId}`, RulesVersionEnvelopeDto),
  'staff-check-pricing-rules': post('/staff/v1/pricing-rules/check', RULES_REQUEST_EXAMPLE, RulesCheckEnvelopeDto),
  'staff-backtest-pricing-rules': post(
    '/staff/v1/pricing-rules/backtest',
    BACKTEST_REQUEST_EXAMPLE,
    BacktestEnvelopeDto,
  ),
  'staff-get-fx-days': get('/staff/v1/reports/fx-days?from=2026-03-01&to=2026-03-31', FxDaysDto),
  'staff-download-fx-days': get('/staff/v1/reports/fx-days.csv?from=2026-03-01&to=2026-03-31', null),
  'staff-get-iof-payable': get('/staff/v1/reports/iof-payable?from=2026-03-01&to=2026-03-31&by=month', IofPeriodsDto),
  'staff-download-iof-payable': get('/staff/v1/reports/iof-payable.csv?from=2026-03-01&to=2026-03-31', null),
  // For an unknown staff member, so that the sessions of the tests continue.
  'staff-end-sessions': post('/staff/v1/staff/unknown/end-sessions', undefined, EndedSessionsDto),
  'staff-sign-out': { method: 'DELETE', url: '/staff/v1/session', status: 204, answer: null },
};

export const WAYS_ROUTE: StaffRoute = get('/staff/v1/session/ways', WaysDto);
