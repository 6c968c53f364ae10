import { derivedId } from '@ponte/kernel';

/** One person under one parent. */
export const identifierReservationId = (parentId: string, country: string, fingerprint: string): string =>
  derivedId('identifier-reservation', parentId, country, fingerprint);

/** One address anywhere; lower-case. */
export const walletReservationId = (address: string): string => derivedId('wallet-reservation', address);

/** The request of that attempt, and the account that it will open. */
export const requestIdOf = (parentId: string, country: string, fingerprint: string, attempt: number): string =>
  derivedId('account-request', parentId, country, fingerprint, String(attempt));

export const accountIdOf = (requestId: string): string => derivedId('requested-account', requestId);
