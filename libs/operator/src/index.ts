export * from './desk';
export { LOG_SKIP } from './log-verbs';
export * from './program';
export { START } from './reader-verbs';
export * from './table';
export * from './time-reader';
export * from './tools';
