export * from './broker';
export * from './cut-wire';
