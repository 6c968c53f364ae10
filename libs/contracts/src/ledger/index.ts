export * from './events';
export * from './messages';
export * from './withdrawal-events';
export * from './withdrawal-messages';
export * from './deposit-messages';
export * from './report-messages';
export * from './address-review-events';
export * from './address-review-messages';
