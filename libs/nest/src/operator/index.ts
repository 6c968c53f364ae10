export * from './cluster-tools';
export * from './duties';
export * from './embedded-tools';
