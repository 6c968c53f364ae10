import { Metrics } from './metrics';
import { Readiness } from './readiness';

/** A document that is not JSON, such as a page or its script. */
export interface ManagementDocument {
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Documents that the management port serves, by path. JSON documents are plain text; others have a media type. */
export type ManagementDocuments = Map<string, () => string | Promise<ManagementDocument>>;

/** What a process reports about itself. */
export interface Observability {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly documents: ManagementDocuments;
}

/** Creates these for one process. A test that starts several processes in one creates them for each. */
export const observability = (): Observability => ({
  metrics: new Metrics(),
  readiness: new Readiness(),
  documents: new Map(),
});
