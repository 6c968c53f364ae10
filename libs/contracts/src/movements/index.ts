export * from './events';
export * from './messages';
export * from './transfer-events';
export * from './transfer-messages';
export * from './incoming-transfer-events';
export * from './deposit-messages';
