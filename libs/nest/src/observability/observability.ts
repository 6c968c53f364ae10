import { Metrics } from './metrics';
import { Readiness } from './readiness';

/**
 * JSON documents for operators by path, which the management port serves; each is written at the first request for it.
 */
export type ManagementDocuments = Map<string, () => string>;

/** What a process tells of itself. */
export interface Observability {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly documents: ManagementDocuments;
}

/** For one process; a test that starts several in one gives each its own. */
export const observability = (): Observability => ({
  metrics: new Metrics(),
  readiness: new Readiness(),
  documents: new Map(),
});
