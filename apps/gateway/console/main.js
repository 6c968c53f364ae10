/* global addEventListener, document */
import { showAccount } from './accounts/account.js';
import { showAccounts } from './accounts/accounts.js';
import { showAddresses } from './accounts/addresses.js';
import { showFindings } from './accounts/findings.js';
import { showWallets } from './accounts/wallets.js';
import { showCase } from './case/case.js';
import { showCertificates } from './certificates/certificates.js';
import { measureBar } from './shell/bar.js';
import { fill, find, note } from './shell/dom.js';
import { tell } from './shell/live.js';
import { alwaysOn, listenForKeys, showKeys } from './shell/keys.js';
import { showFailedReturns } from './money/failed-returns.js';
import { showMoney } from './money/money.js';
import { showMovement } from './money/movement.js';
import { showRefusedPayouts } from './money/refused-payouts.js';
import { showUsdDeposits } from './money/usd-deposits.js';
import { showPrivacyOfRequest } from './privacy/privacy.js';
import { showPrivacySearch } from './privacy/privacy-search.js';
import { showReports } from './pricing/reports.js';
import { showQuote } from './pricing/quote.js';
import { showRules, showRulesVersion, shortVersion } from './pricing/rules.js';
import { showQueue } from './queue/queue.js';
import { go, startRouter } from './shell/router.js';
import { begin, known, maySeePrivacy, maySeeReports, me, signOut, watch } from './session/session.js';
import { showSignIn } from './session/sign-in.js';
import { showStaff } from './staff/staff.js';
import { plain, ROLES, shortId } from './shell/words.js';

const ID = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';

/** @param {string} word @returns {(params: string[]) => string} */
const requestTitle =
  (word) =>
  ([id = '']) =>
    `${word} ${shortId(id)}`;

/** URLs and titles contain only references of the system and no personal data. */
const ROUTES = [
  { pattern: /^\/console$/, title: () => 'Queue', section: 'queue', show: showQueue },
  {
    pattern: new RegExp(`^/console/requests/${ID}$`),
    title: requestTitle('Request'),
    section: 'queue',
    show: showCase,
  },
  {
    pattern: new RegExp(`^/console/requests/${ID}/privacy$`),
    title: requestTitle('Privacy of'),
    section: 'privacy',
    show: showPrivacyOfRequest,
  },
  { pattern: /^\/console\/accounts$/, title: () => 'Accounts', section: 'accounts', show: showAccounts },
  {
    pattern: new RegExp(`^/console/accounts/${ID}$`),
    title: requestTitle('Account'),
    section: 'accounts',
    show: showAccount,
  },
  {
    pattern: new RegExp(`^/console/accounts/${ID}/wallets$`),
    title: requestTitle('Wallets of'),
    section: 'accounts',
    show: showWallets,
  },
  { pattern: /^\/console\/addresses$/, title: () => 'Addresses', section: 'addresses', show: showAddresses },
  { pattern: /^\/console\/findings$/, title: () => 'Findings', section: 'findings', show: showFindings },
  { pattern: /^\/console\/money(?:\/([a-z-]+))?$/, title: () => 'Money', section: 'money', show: showMoney },
  {
    pattern: new RegExp(`^/console/money/(withdrawals|deposits|transfers|nft-transfers|certificates)/${ID}$`),
    title: (/** @type {string[]} */ [, id = '']) => `Movement ${shortId(id)}`,
    section: 'money',
    show: showMovement,
  },
  {
    pattern: /^\/console\/failed-returns$/,
    title: () => 'Failed returns',
    section: 'failed-returns',
    show: showFailedReturns,
  },
  {
    pattern: /^\/console\/refused-payouts$/,
    title: () => 'Refused payouts',
    section: 'refused-payouts',
    show: showRefusedPayouts,
  },
  {
    pattern: /^\/console\/usd-deposits$/,
    title: () => 'USD deposits',
    section: 'usd-deposits',
    show: showUsdDeposits,
  },
  {
    pattern: /^\/console\/certificates$/,
    title: () => 'Certificates',
    section: 'certificates',
    show: showCertificates,
  },
  { pattern: /^\/console\/privacy$/, title: () => 'Privacy', section: 'privacy', show: showPrivacySearch },
  { pattern: /^\/console\/rules$/, title: () => 'Pricing rules', section: 'rules', show: showRules },
  {
    pattern: /^\/console\/rules\/([\w.-]{1,64})$/,
    title: (/** @type {string[]} */ [version = '']) => `Rules ${shortVersion(version)}`,
    section: 'rules',
    show: showRulesVersion,
  },
  {
    pattern: new RegExp(`^/console/quotes/${ID}$`),
    title: requestTitle('Quote'),
    section: 'rules',
    show: showQuote,
  },
  { pattern: /^\/console\/staff$/, title: () => 'Staff', section: 'staff', show: showStaff },
  { pattern: /^\/console\/reports$/, title: () => 'Reports', section: 'reports', show: showReports },
  {
    pattern: /^\/console\/signed-in$/,
    title: () => 'Signed in',
    section: '',
    show: async (/** @type {import('./shell/router.js').Visit} */ { main }) =>
      fill(main, note('good', 'You are signed in. You can close this tab and continue in the previous one.')),
  },
];

async function start() {
  listenForKeys();
  const main = find('main');
  const session = (await known()) ?? (await showSignIn(main));
  begin(session);
  main.replaceChildren();
  find('.bar').hidden = false;
  measureBar();
  find('#who-name').textContent = me().name;
  find('#who-role').textContent = me()
    .roles.map((role) => ROLES[role] ?? plain(role))
    .join(', ');
  find('[data-section="privacy"]').hidden = !maySeePrivacy();
  find('[data-section="reports"]').hidden = !maySeeReports();
  find('#sign-out').addEventListener('click', () => void signOut());
  find('#show-keys').addEventListener('click', showKeys);
  alwaysOn({ key: 'g', says: 'Go to the queue', run: () => go('/console') });
  watch();
  await startRouter(ROUTES);
}

/**
 * Handles unexpected errors. The user sees a general message. The text of the error, which may contain data of the
 * page, is not sent anywhere.
 */
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  document.documentElement.dataset.fault = event.reason instanceof Error ? event.reason.name : 'unknown';
  tell('Something went wrong on this page. Reload it. Nothing was sent that you did not confirm.');
});

start().catch((error) => {
  find('main').replaceChildren(
    note(
      'bad',
      'The console could not start. Reload the page. If that does not help, tell the administrator of this installation.',
    ),
  );
  // The name of the error helps to find the cause; its text may contain data of the page.
  document.documentElement.dataset.fault = error instanceof Error ? error.name : 'unknown';
});
