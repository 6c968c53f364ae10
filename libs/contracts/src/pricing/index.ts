export * from './events';
export * from './messages';
export * from './quote';
export * from './pairs';
