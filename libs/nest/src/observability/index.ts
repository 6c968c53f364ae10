export * from './catalogue';
export * from './management';
export { Metrics } from './metrics';
export type { Labels, Sample } from './metrics';
export * from './observability';
export * from './readiness';
export * from './settings';
