export * from './desk';
export { LOG_SHOW, LOG_SKIP } from './log-verbs';
export * from './program';
export { START } from './log-positions';
export type { ShownEvent } from './shown-events';
export { shownEvents } from './shown-events';
export * from './table';
export * from './time-reader';
export * from './tools';
