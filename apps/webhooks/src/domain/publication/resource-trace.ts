import type { DepositFact, OrderFact, WebhookEventType } from '@ponte/contracts';
import {
  AcceptanceAbandoned, DepositConfirmed, DepositCreated, DepositCredited, DepositReturned, DepositReturnFailed, DepositReturnRequested, DepositVoided,
  OrderCompleted, OrderPlaced, OrderProcessingStarted, OrderRolledBack,
} from '@ponte/contracts';
import type { EventClass, Recorded } from '@ponte/event-sourcing';

export type SourceFact = OrderFact | DepositFact;

/** Everything that may stand in the streams that are published. */
export const SOURCE_EVENTS: readonly EventClass[] = [
  OrderPlaced, AcceptanceAbandoned, OrderProcessingStarted, OrderCompleted, OrderRolledBack,
  DepositCreated, DepositConfirmed, DepositCredited, DepositVoided, DepositReturnRequested, DepositReturnFailed, DepositReturned,
];

/** What was published of a resource: the event behind it and the kind it became. */
export interface PublishedKind {
  readonly sourceEventId: string;
  readonly eventType: WebhookEventType;
}

/** What the publication of the next event of a resource needs to know of those before it. */
export interface ResourceTrace {
  /** Of the last event that is in it, -1 before the first. */
  readonly revision: number;
  readonly accountId: string | null;
  readonly parentId: string | null;
  /** The API's word for the state. */
  readonly state: string | null;
  /** Of a deposit. */
  readonly sourceBankCode: string | null;
  readonly published: readonly PublishedKind[];
}

export const NO_TRACE: ResourceTrace = {
  revision: -1, accountId: null, parentId: null, state: null, sourceBankCode: null, published: [],
};

const KINDS: Readonly<Record<SourceFact['type'], WebhookEventType | null>> = {
  OrderPlaced: 'order-created',
  AcceptanceAbandoned: null,
  OrderProcessingStarted: 'order-processing',
  OrderCompleted: 'order-completed',
  OrderRolledBack: 'order-rolled-back',
  DepositCreated: null,
  DepositConfirmed: null,
  DepositCredited: 'deposit-processed',
  DepositVoided: 'deposit-voided',
  DepositReturnRequested: null,
  DepositReturnFailed: null,
  DepositReturned: null,
};

/** The kind that a recorded event is published as; null for those that nobody is told of. */
export const kindOf = (type: SourceFact['type']): WebhookEventType | null => KINDS[type];

export function traceAfter(trace: ResourceTrace, event: Recorded<SourceFact>): ResourceTrace {
  const kind = kindOf(event.type);
  const published = kind === null ? trace.published : [...trace.published, { sourceEventId: event.id, eventType: kind }];
  return { ...learned(trace, event), revision: event.revision, published };
}

function learned(trace: ResourceTrace, event: Recorded<SourceFact>): ResourceTrace {
  switch (event.type) {
    case 'OrderPlaced':
      return { ...trace, accountId: event.data.accountId, parentId: event.data.parentId, state: 'created' };
    case 'DepositCreated': {
      const { accountId, parentId, coordinates } = event.data;
      return { ...trace, accountId, parentId, state: 'created', sourceBankCode: coordinates.sourceBankCode };
    }
    case 'OrderProcessingStarted':
      return { ...trace, state: 'processing' };
    case 'OrderCompleted':
      return { ...trace, state: 'completed' };
    case 'OrderRolledBack':
      return { ...trace, state: 'rolled-back' };
    case 'DepositConfirmed':
      return { ...trace, state: 'confirmed' };
    case 'DepositCredited':
      return { ...trace, state: 'credited' };
    case 'DepositVoided':
      return { ...trace, state: 'voided' };
    case 'AcceptanceAbandoned':
    case 'DepositReturnRequested':
    case 'DepositReturnFailed':
    case 'DepositReturned':
      return trace;
  }
}
