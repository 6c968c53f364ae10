import { DEFAULT_LIVENESS_PROVIDERS } from '@ponte/contracts';
import type { Setting, Variables } from '@ponte/kernel';
import { SettingsReader } from '@ponte/kernel';

/** Names accepted by the gateway and called by onboarding, so both services must have the same value. */
export const LIVENESS_PROVIDERS_SETTING: Setting = {
  name: 'PONTE_LIVENESS_PROVIDERS',
  meaning: 'comma-separated names that liveness.provider may have; LIVENESS_VENDORS configures one vendor for each',
  default: DEFAULT_LIVENESS_PROVIDERS.join(','),
};

const NAME = /^[A-Za-z0-9._-]{1,60}$/;

/** The names that a liveness session may have as its provider. Throws if one is invalid or repeated. */
export function readLivenessProviders(env: Variables): readonly string[] {
  const { name } = LIVENESS_PROVIDERS_SETTING;
  const names = new SettingsReader([LIVENESS_PROVIDERS_SETTING], env).list(name);
  if (names.length === 0 || names.some((one) => !NAME.test(one)))
    throw new Error(`${name} must be comma-separated names of letters, digits, dots, hyphens and underscores`);
  if (new Set(names).size !== names.length) throw new Error(`${name} contains a name twice`);
  return names;
}
