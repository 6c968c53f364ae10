export * from './duties';
export * from './embedded-tools';
