/**
 * The modules that decide about money: `mutate` are the files in which bugs are planted, `tests` the folders whose unit
 * tests have to notice them.
 */
export const MODULES = {
  money: { mutate: ['libs/kernel/src/money/*.ts'], tests: ['libs/kernel/src/money'] },
  brazil: {
    mutate: ['libs/kernel/src/people/{tax-id,pix-key,evm-address}.ts', 'libs/kernel/src/sao-paulo.ts'],
    tests: ['libs/kernel/src/people', 'libs/kernel/src'],
  },
  'canonical-json': { mutate: ['libs/kernel/src/canonical-json.ts'], tests: ['libs/kernel/src'] },
  price: { mutate: ['apps/pricing/src/price/*.domain.ts'], tests: ['apps/pricing/src/{price,quote}'] },
  quote: {
    mutate: ['apps/pricing/src/quote/*.{domain,decider}.ts'],
    tests: ['apps/pricing/src/quote'],
  },
  rules: {
    mutate: ['apps/pricing/src/rules/*.{domain,decider}.ts', 'apps/pricing/src/market/*.domain.ts'],
    tests: ['apps/pricing/src/{rules,market,quote}'],
  },
  'ledger-account': {
    mutate: ['apps/ledger/src/ledger-account/*.{domain,decider,state}.ts'],
    tests: ['apps/ledger/src/ledger-account'],
  },
  'pix-charge': { mutate: ['apps/ledger/src/pix-charge/*.decider.ts'], tests: ['apps/ledger/src/pix-charge'] },
  'br-code': { mutate: ['apps/ledger/src/br-code/*.domain.ts'], tests: ['apps/ledger/src/br-code'] },
  'write-off': { mutate: ['apps/ledger/src/write-off/*.domain.ts'], tests: ['apps/ledger/src/write-off'] },
  'recent-ids': {
    mutate: ['apps/ledger/src/recent-ids/*.domain.ts'],
    tests: ['apps/ledger/src/{recent-ids,ledger-account}'],
  },
  deposit: {
    mutate: ['apps/ledger/src/deposit/*.{domain,decider,state}.ts', 'apps/ledger/src/usd-deposit/*.domain.ts'],
    tests: ['apps/ledger/src/{deposit,set-aside,suspense,suspense-sending,take-back,token-deposit,usd-deposit}'],
  },
  withdrawal: {
    mutate: [
      'apps/ledger/src/withdrawal/*.{domain,decider,state}.ts',
      'apps/ledger/src/daily-allowance/*.decider.ts',
      'apps/ledger/src/withdrawal-review/withdrawal-review.domain.ts',
    ],
    tests: ['apps/ledger/src/{withdrawal,withdrawal-review,daily-allowance}'],
  },
  'payout-returns': {
    mutate: ['apps/ledger/src/payout-returns/*.decider.ts'],
    tests: ['apps/ledger/src/payout-returns'],
  },
  order: {
    mutate: ['apps/orders/src/order/*.{domain,decider,state}.ts'],
    tests: ['apps/orders/src/{order,acceptance}'],
  },
  acceptance: { mutate: ['apps/orders/src/acceptance/*.domain.ts'], tests: ['apps/orders/src/acceptance'] },
  transactions: {
    mutate: ['apps/movements/src/transactions/*.{domain,decider,state}.ts'],
    tests: ['apps/movements/src/{transactions,mint,reorg}'],
  },
  'signer-key': { mutate: ['apps/movements/src/signer-key/*.decider.ts'], tests: ['apps/movements/src/signer-key'] },
  wallet: { mutate: ['apps/movements/src/wallet/*.decider.ts'], tests: ['apps/movements/src/wallet'] },
  certificates: {
    mutate: ['apps/movements/src/certificates/*.decider.ts', 'apps/movements/src/certificates/certificate-purpose.ts'],
    tests: ['apps/movements/src/certificates'],
  },
  'token-deposits': {
    mutate: [
      'apps/movements/src/token-deposits/{incoming-transfers.decider,agreed.deposit-transfers.adapter}.ts',
      'apps/movements/src/incoming-blocks/open-blocks.ts',
    ],
    tests: ['apps/movements/src/token-deposits', 'apps/movements/src/incoming-blocks'],
  },
  transfer: {
    mutate: ['apps/movements/src/transfer/*.{domain,decider}.ts', 'apps/movements/src/external-id/*.decider.ts'],
    tests: ['apps/movements/src/transfer', 'apps/movements/src/external-id'],
  },
  treasury: { mutate: ['apps/movements/src/settlement/*.decider.ts'], tests: ['apps/movements/src/settlement'] },
  deliveries: {
    mutate: ['apps/webhooks/src/deliveries/*.{domain,decider,state}.ts'],
    tests: ['apps/webhooks/src/deliveries'],
  },
};
