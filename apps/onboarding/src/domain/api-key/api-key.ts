import type { AccountStatus, ApiKeyFact } from '@ponte/contracts';
import { ApiKeyCreated, ApiKeyRevoked, REVOCATION_REASONS } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Fault } from '@ponte/kernel';
import { canonicalJson, refuse, refuseAll } from '@ponte/kernel';
import { reasonFaults } from '../texts';
import type { KeyEnvironment } from './form';
import { accountFaults, formFaults } from './form';

export type ApiKeyTerms = ApiKeyCreated['data'];

export type ApiKey = { readonly status: 'absent' } | { readonly status: 'active' | 'revoked'; readonly terms: ApiKeyTerms };

export interface Create {
  readonly kind: 'create';
  readonly terms: ApiKeyTerms;
  readonly environment: KeyEnvironment;
  readonly accountStatus: AccountStatus | 'absent';
  /** What is wrong with the public key and the allowlist, which need code from outside the domain to be read. */
  readonly materialFaults: readonly Fault[];
}
export interface Revoke { readonly kind: 'revoke'; readonly reason: string }

export type ApiKeyCommand = Create | Revoke;

/** What a partner's backend authenticates with. It never changes: another need is another key. */
export const apiKey: Decider<ApiKeyCommand, ApiKey, ApiKeyFact> = {
  category: 'apiKey',
  initial: { status: 'absent' },
  events: [ApiKeyCreated, ApiKeyRevoked],
  decide(command, state) {
    switch (command.kind) {
      case 'create': return create(command, state);
      case 'revoke': return revoke(command, state);
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'ApiKeyCreated': return { status: 'active', terms: event.data };
      case 'ApiKeyRevoked': {
        // A revocation before the creation is a damaged stream, not a caller's mistake.
        if (state.status === 'absent') throw new Error('an API key cannot end before it is created');
        return { ...state, status: 'revoked' };
      }
    }
  },
};

/** The key, or the refusal `api-key-not-found`. */
export const created = (state: ApiKey): Exclude<ApiKey, { status: 'absent' }> =>
  state.status === 'absent' ? refuse('api-key-not-found', 'there is no such API key', 'key-id') : state;

function create({ terms, environment, accountStatus, materialFaults }: Create, state: ApiKey): ApiKeyFact[] {
  if (state.status !== 'absent') {
    return canonicalJson(terms) === canonicalJson(state.terms) ? [] : refuse('api-key-already-exists', 'an API key of this id exists with other data', 'key-id');
  }
  refuseAll([...accountFaults(accountStatus), ...formFaults(terms, environment), ...materialFaults]);
  return [new ApiKeyCreated(terms)];
}

function revoke({ reason }: Revoke, state: ApiKey): ApiKeyFact[] {
  const { status, terms: { keyId, accountId } } = created(state);
  refuseAll(reasonFaults(reason, REVOCATION_REASONS));
  return status === 'revoked' ? [] : [new ApiKeyRevoked({ keyId, accountId, reason })];
}
