export * from './blobs';
export * from './process/boot';
export * from './callback-server';
export * from './policies';
export * from './repository';
export * from './engines/embedded-engines';
export * from './engines/engines';
export * from './engines/engines.module';
export * from './engines/load-cluster-engines';
export * from './liveness-providers';
export * from './logging';
export * from './operator';
export {
  BusTransport,
  Consumes,
  ContextCommand,
  forwardRequests,
  PayloadCommand,
  RequestCommand,
  RequestQuery,
} from './messages';
export * from './engines/remote-engines';
export * from './engines/shared-engines';
export { readProcess } from './process/process-settings';
export type { ServiceSettings } from './process/process-settings';
export * from './process/runtime';
export { SandboxClock } from './clocks';
export * from './process/service-process';
export * from './process/stop-signals';
export * from './tokens';
export { skippedBy, reportLogFaults } from './engines/log-faults';
export * from './read-models/define-awaited-decisions';
export * from './read-models/define-event-read-model';
export * from './read-models/define-read-model';
export { rowsFrom } from '@ponte/read-models';
