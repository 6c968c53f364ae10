export * from './events';
export * from './messages';
export * from './wire';
export { WEBHOOK_RESOURCE_TYPES } from './kind';
export type { WebhookKind, WebhookResourceType } from './kind';
export * from './kinds';
export * from './kind-schemas';
export { partnerAsyncApiDocument } from '../asyncapi/partner-document';
