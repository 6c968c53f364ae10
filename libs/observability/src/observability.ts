import { Metrics } from './metrics';
import { Readiness } from './readiness';

/** A document that is not JSON: a page, or a script of one. */
export interface ManagementDocument {
  /** Its media type. */
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Documents for operators by path, which the management port serves: JSON as its text, anything else with its type. */
export type ManagementDocuments = Map<string, () => string | Promise<ManagementDocument>>;

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
