import type { ServiceName } from '@ponte/contracts';
import type { RebuildableView } from '@ponte/read-models';
import { LEDGER_VIEWS } from '../../ledger/src/ledger.views';
import { MOVEMENTS_VIEWS } from '../../movements/src/movements.views';
import { ONBOARDING_VIEWS } from '../../onboarding/src/onboarding.views';
import { ORDERS_VIEWS } from '../../orders/src/orders.views';
import { WEBHOOKS_VIEWS } from '../../webhooks/src/deliveries/deliveries-rebuild.adapter';

/**
 * The read models of each service. Pricing and the gateway have none: a quote is read from its stream, and the gateway
 * keeps its data in memory.
 */
export const VIEWS_OF: Readonly<Partial<Record<ServiceName, readonly RebuildableView[]>>> = {
  onboarding: ONBOARDING_VIEWS,
  orders: ORDERS_VIEWS,
  movements: MOVEMENTS_VIEWS,
  ledger: LEDGER_VIEWS,
  webhooks: WEBHOOKS_VIEWS,
};

/** Every view of the cluster. */
export const ALL_VIEWS: readonly RebuildableView[] = Object.values(VIEWS_OF).flat();
