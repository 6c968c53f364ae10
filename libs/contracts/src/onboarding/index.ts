export * from './api-keys';
export * from './capabilities';
export * from './events';
export * from './messages';
export * from './reasons';
export * from './refusals';
export * from './sealing';
