export * from './events';
export * from './messages';
export * from './wire';
export * from './kinds';
export * from './kind-schemas';
export { partnerAsyncApiDocument } from '../asyncapi/partner-document';
