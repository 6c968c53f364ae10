export { Ponte } from './ponte';
export type { Credentials, PonteOptions, SandboxCredentials, SigningCredentials } from './options';
export type {
  Answer,
  Body,
  CallOptions,
  Item,
  Page,
  Pages,
  Query,
  ResponseInfo,
  WriteOptions,
} from './operation-types';
export { WEBHOOK_EVENT_TYPES } from './generated/event-types';
export { OPERATIONS } from './generated/operation-table';
export type { OperationId } from './generated/operation-table';
export type { components, operations } from './generated/schema';
export {
  AuthenticationError,
  ConflictError,
  GoneError,
  InvalidRequestError,
  isApiError,
  isPonteError,
  NotFoundError,
  PermissionError,
  PonteAbortError,
  PonteApiError,
  PonteConfigurationError,
  PonteConnectionError,
  PonteError,
  PonteTimeoutError,
  RateLimitError,
  ServiceError,
  ValidationError,
} from './errors';
export type { ErrorCode, ErrorDetail, RequestOutcome } from './errors';
export type { HeaderInput } from './headers';
export type { ConnectionState, EventLogOptions, LoggedEvent } from './event-log/event-log-options';
export { SigningKey } from './signing-key';
export type { PrivateCryptoKey, PrivateJwk, SignedRequest, SigningAlgorithm, SigningKeyInput } from './signing-key';
export { createWebhookSecret, signWebhook, verifyWebhook, WebhookVerificationError } from './webhooks/webhooks';
export type {
  IncomingHeaders,
  IncomingWebhook,
  VerifyOptions,
  WebhookVerificationErrorCode,
} from './webhooks/webhooks';
export type { WebhookEvent, WebhookEventType } from './webhooks/webhook-event';
