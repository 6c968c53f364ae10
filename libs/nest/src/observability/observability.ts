import { Metrics } from './metrics';
import { Readiness } from './readiness';

/** What a process tells of itself. */
export interface Observability {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

/** For one process; a test that starts several in one gives each its own. */
export const observability = (): Observability => ({ metrics: new Metrics(), readiness: new Readiness() });
