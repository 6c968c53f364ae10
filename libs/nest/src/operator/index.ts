export * from './cluster-tools';
export * from './desk';
export * from './duties';
export * from './embedded-tools';
export * from './program';
export * from './table';
export * from './time-reader';
export * from './tools';
