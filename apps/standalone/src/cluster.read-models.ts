import type { ServiceName } from '@ponte/contracts';
import type { RebuildableReadModel } from '@ponte/read-models';
import { LEDGER_REBUILDABLE } from '../../ledger/src/ledger.read-models';
import { MOVEMENTS_REBUILDABLE } from '../../movements/src/movements.read-models';
import { ONBOARDING_REBUILDABLE } from '../../onboarding/src/onboarding.read-models';
import { ORDERS_REBUILDABLE } from '../../orders/src/orders.read-models';
import { WEBHOOKS_REBUILDABLE } from '../../webhooks/src/deliveries/deliveries-rebuild.adapter';

/**
 * The read models of each service. Pricing and the gateway have none: a quote is read from its stream, and the gateway
 * keeps its data in memory.
 */
export const READ_MODELS_OF: Readonly<Partial<Record<ServiceName, readonly RebuildableReadModel[]>>> = {
  onboarding: ONBOARDING_REBUILDABLE,
  orders: ORDERS_REBUILDABLE,
  movements: MOVEMENTS_REBUILDABLE,
  ledger: LEDGER_REBUILDABLE,
  webhooks: WEBHOOKS_REBUILDABLE,
};

export const ALL_READ_MODELS: readonly RebuildableReadModel[] = Object.values(READ_MODELS_OF).flat();
