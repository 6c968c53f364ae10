import type { ServiceName } from '@ponte/contracts';
import type { RebuildableView } from '@ponte/read-models';
import { LEDGER_VIEWS } from '../../ledger/src/rebuild.adapter';
import { MOVEMENTS_VIEWS } from '../../movements/src/rebuild.adapter';
import { ONBOARDING_VIEWS } from '../../onboarding/src/rebuild.adapter';
import { ORDERS_VIEWS } from '../../orders/src/orders.views';
import { WEBHOOKS_VIEWS } from '../../webhooks/src/deliveries/deliveries-rebuild.adapter';

/**
 * What each service shows. Pricing and the gateway keep no view: a quote is its stream, and the edge keeps what it
 * needs in memory.
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
