import type { ClusterTimes, EsdbCluster } from './cluster';
import type { RealEsdb } from './real-server';
import type { EsdbServer, EsdbServerOptions } from './server';

export type { ClusterTimes, EsdbCluster } from './cluster';
export type { EsdbFaults } from './faults';
export type { RealEsdb } from './real-server';
export { hasContainerRuntime } from '../containers';
export type { EsdbServer, EsdbServerOptions } from './server';

// Modules are loaded on first use, because grpc loads slowly.

/** See `server.ts`. */
export const startEsdbServer = async (options: EsdbServerOptions = {}): Promise<EsdbServer> =>
  (await import('./server')).startEsdbServer(options);

/** See `real-server.ts`. */
export const startRealEsdb = async (): Promise<RealEsdb> => (await import('./real-server')).startRealEsdb();

/** See `cluster.ts`. */
export const startEsdbCluster = async (
  options: { readonly times?: Partial<ClusterTimes>; readonly nodes?: number } = {},
): Promise<EsdbCluster> => (await import('./cluster')).startEsdbCluster(options);
export type { EsdbUnderTest } from './under-test';
export { askNode, describeEsdb, hostsOf } from './under-test';
