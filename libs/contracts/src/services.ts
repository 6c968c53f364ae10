/** The seven services. */
export const SERVICES = ['gateway', 'onboarding', 'pricing', 'orders', 'movements', 'ledger', 'webhooks'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** The stream categories that each service owns: only it appends to them, and `<service>.events` publishes them. */
export const SERVICE_CATEGORIES: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: [],
  onboarding: [
    'account',
    'apiKey',
    'accountRequest',
    'reservation',
    'livenessSession',
    'evidenceFile',
    'person',
    'staffUser',
  ],
  pricing: ['quote', 'sandboxPricing', 'sandboxClock'],
  orders: ['order', 'externalId'],
  movements: [
    'wallet',
    'transfer',
    'nftTransfer',
    'rewardCertificate',
    'movementExternalId',
    'signerKey',
    'treasury',
    'chainTransaction',
    'keyFinality',
    'incomingTransfers',
  ],
  ledger: [
    'ledgerAccount',
    'deposit',
    'pixCharge',
    'withdrawal',
    'dailyAllowance',
    'clientReference',
    'addressReview',
    'settlementReference',
  ],
  webhooks: ['webhookEndpoint', 'webhookRelease', 'outbox', 'delivery'],
};

/**
 * Events of categories that a service keeps for itself: they are in no topic, so the description of the topics leaves
 * them out.
 */
export const UNPUBLISHED_EVENTS: readonly string[] = [
  'PayoutReturnListed',
  'PricingRulesAdopted',
  'RequestTraitNoted',
  'ScreeningRoundStarted',
  'ScreeningRoundAdvanced',
  'ScreeningRoundCompleted',
  'TransferCounted',
  'TransferUncounted',
  'WalletAddressClaimed',
  'WalletSlotTaken',
];
