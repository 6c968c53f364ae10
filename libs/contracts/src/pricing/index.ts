export * from './events';
export * from './messages';
export * from './inputs';
export * from './quote';
export * from './pairs';
export * from './rules';
