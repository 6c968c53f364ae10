import type { AccountStatus, ApiKeyEvent } from '@ponte/contracts';
import { ApiKeyCreated, ApiKeyRevoked, REVOCATION_REASONS } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { canonicalJson, refuse, refuseAll } from '@ponte/kernel';
import { reasonViolations } from '../person/texts.domain';
import type { ApiKeyTerms, KeyEnvironment } from './api-key-form.domain';
import { accountViolations, formViolations } from './api-key-form.domain';

export type ApiKey =
  { readonly status: 'absent' } | { readonly status: 'active' | 'revoked'; readonly terms: ApiKeyTerms };

export interface Create {
  readonly kind: 'create';
  readonly terms: ApiKeyTerms;
  readonly environment: KeyEnvironment;
  readonly accountStatus: AccountStatus | 'absent';
  /** Violations of the public key and the allowlist, which are parsed by code outside the domain. */
  readonly materialViolations: readonly Violation[];
}
interface Revoke {
  readonly kind: 'revoke';
  readonly reason: string;
}

type ApiKeyCommand = Create | Revoke;

/** The credential of a partner's backend. It never changes: a partner with other needs creates another key. */
export const apiKey: Decider<ApiKeyCommand, ApiKey, ApiKeyEvent> = {
  category: 'apiKey',
  initial: { status: 'absent' },
  events: [ApiKeyCreated, ApiKeyRevoked],
  decide(command, state) {
    switch (command.kind) {
      case 'create':
        return create(command, state);
      case 'revoke':
        return revoke(command, state);
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'ApiKeyCreated':
        return { status: 'active', terms: event.data };
      case 'ApiKeyRevoked': {
        // A revocation before the creation means a damaged stream, not a caller's mistake.
        if (state.status === 'absent') throw new Error('an API key cannot be revoked before it is created');
        return { ...state, status: 'revoked' };
      }
    }
  },
};

/** The key; refuses `api-key-not-found` if it is absent. */
export const created = (state: ApiKey): Exclude<ApiKey, { status: 'absent' }> =>
  state.status === 'absent' ? refuse('api-key-not-found', 'there is no such API key', 'key-id') : state;

function create({ terms, environment, accountStatus, materialViolations }: Create, state: ApiKey): ApiKeyEvent[] {
  if (state.status !== 'absent') {
    return canonicalJson(terms) === canonicalJson(state.terms)
      ? []
      : refuse('api-key-already-exists', 'an API key with this id exists with different data', 'key-id');
  }
  refuseAll([...accountViolations(accountStatus), ...formViolations(terms, environment), ...materialViolations]);
  return [new ApiKeyCreated(terms)];
}

function revoke({ reason }: Revoke, state: ApiKey): ApiKeyEvent[] {
  const {
    status,
    terms: { keyId, accountId },
  } = created(state);
  refuseAll(reasonViolations(reason, REVOCATION_REASONS));
  return status === 'revoked' ? [] : [new ApiKeyRevoked({ keyId, accountId, reason })];
}
