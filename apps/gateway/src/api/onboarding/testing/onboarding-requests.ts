import type { LightMyRequestResponse } from 'fastify';
import type { ClearInformation, ClearKycRequest, ClearRelianceRequest } from '@ponte/contracts';
import { openInTransit } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { KEY } from '../../../testing/api-keys';
import { SAMPLE } from '../../samples';
import { KYC_EXAMPLE } from '../onboarding.examples';
import { testGateway } from '../../../testing/use-gateway';

export const { gateway, useTestGateway } = testGateway();

export type Json = Record<string, unknown>;
interface Fault {
  readonly path: string;
  readonly code: string;
}

export const KYC = '/api/v1/accounts/kyc/individual';
export const RELIANCE = '/api/v1/accounts/reliance';
export const FILES = '/api/v1/accounts/files';
export const REQUEST = `${KYC}/${SAMPLE.requestId}`;
/** Fields of a request that tests change. */
export const kyc: Json = { ...KYC_EXAMPLE };
export const address: Json = { ...KYC_EXAMPLE.address };
/** A representative. */
export const PERSON = {
  'first-name': 'Paulo',
  'last-name': 'Souza',
  'date-of-birth': '1980-01-31',
  identifier: { value: '111.444.777-35', country: 'bra' },
  'tax-residence': 'bra',
  address: KYC_EXAMPLE.address,
  document: { type: 'cnh', 'front-file-id': SAMPLE.fileId },
  pep: { declared: true, 'full-name': 'Ana Souza', role: 'mayor', relationship: 'business_associate' },
  'power-of-attorney-file-id': 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B3',
};

export const key = { authorization: `Bearer ${KEY.partner}` };

export const post = (url: string, body: unknown, headers: Json = {}) =>
  gateway.app.inject({
    method: 'POST',
    url,
    headers: { ...key, 'content-type': 'application/json', ...headers } as Record<string, string>,
    payload: JSON.stringify(body),
  });
const errorOf = (answer: LightMyRequestResponse) =>
  (answer.json() as { error: { code: string; details?: Fault[] } }).error;
export const faultsOf = (answer: LightMyRequestResponse) =>
  (errorOf(answer).details ?? []).map(({ path, code }) => `${path} ${code}`);
export const lastPayload = (definition: { pattern: string }) =>
  gateway.bus.requestsOf(definition).at(-1)?.payload ?? {};
export const opened = <T extends ClearKycRequest | ClearRelianceRequest | ClearInformation>(payload: Json) =>
  openInTransit<T>(gateway.engines.personalData, payload['body'] as Sealed);
export const shown = (answer: LightMyRequestResponse) =>
  (answer.json() as { 'account-request': Json })['account-request'];
