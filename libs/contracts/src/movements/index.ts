export * from './certificate-events';
export * from './certificate-messages';
export * from './events';
export * from './messages';
export * from './nft-transfer-events';
export * from './transfer-events';
export * from './transfer-messages';
