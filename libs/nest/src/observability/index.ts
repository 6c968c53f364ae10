export * from './catalogue';
export * from './management';
export { KafkaCounts, relayCounts } from './kafka';
export { Metrics } from './metrics';
export type { Labels, Sample } from './metrics';
export * from './observability';
export * from './readiness';
export * from './settings';
