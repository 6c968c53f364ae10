export * from './events';
export * from './messages';
