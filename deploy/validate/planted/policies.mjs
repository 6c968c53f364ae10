// Typical mistakes, each planted into the rendered objects. The policy for it must find it.
import { AVAILABILITY_PLANTED } from './availability.mjs';
import { CONTAINERS_PLANTED } from './containers.mjs';
import { NETWORK_PLANTED } from './network.mjs';
import { SCALING_PLANTED } from './scaling.mjs';
import { SECRETS_PLANTED } from './secrets.mjs';

/** [policy, release, description, how the mistake is planted]. */
export const PLANTED = [
  ...CONTAINERS_PLANTED,
  ...AVAILABILITY_PLANTED,
  ...SCALING_PLANTED,
  ...SECRETS_PLANTED,
  ...NETWORK_PLANTED,
];
