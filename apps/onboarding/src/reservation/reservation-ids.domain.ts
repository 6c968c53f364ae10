import { derivedId } from '@ponte/kernel';

/** The reservation of one person under one parent. */
export const identifierReservationId = (parentId: string, country: string, fingerprint: string): string =>
  derivedId('identifier-reservation', parentId, country, fingerprint);

/** The reservation of one address across all parents. The address is in lower case. */
export const walletReservationId = (address: string): string => derivedId('wallet-reservation', address);

/** The id of the person's request at that attempt. */
export const requestIdOf = (parentId: string, country: string, fingerprint: string, attempt: number): string =>
  derivedId('account-request', parentId, country, fingerprint, String(attempt));

export const accountIdOf = (requestId: string): string => derivedId('requested-account', requestId);
