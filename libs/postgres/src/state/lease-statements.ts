const EXPIRY = (parameter: string): string => `clock_timestamp() + ${parameter} * interval '1 millisecond'`;

/** A holder that repeats its request after a lost answer gets the lease again, with a higher fence. */
export const ACQUIRE = `
  INSERT INTO leases AS lease (name, holder, fence, expires_at)
  SELECT name, holder, 1, ${EXPIRY('$3')} FROM unnest($1::text[], $2::text[]) AS asked (name, holder)
  WHERE NOT EXISTS (
    SELECT 1 FROM leases held
    WHERE held.name = asked.name AND held.expires_at > clock_timestamp() AND held.holder <> asked.holder
  )
  ORDER BY name
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, fence = lease.fence + 1, expires_at = ${EXPIRY('$3')}
  WHERE lease.expires_at <= clock_timestamp() OR lease.holder = excluded.holder
  RETURNING holder, fence`;
export const RENEW = `
  UPDATE leases SET expires_at = ${EXPIRY('$3')} FROM unnest($1::text[], $2::text[]) AS mine (name, holder)
  WHERE leases.name = mine.name AND leases.holder = mine.holder RETURNING leases.holder`;
export const RELEASE = 'UPDATE leases SET holder = $3, expires_at = $4 WHERE name = $1 AND holder = $2';
export const NO_HOLDER = ['', '-infinity'] as const;
/**
 * Releases the leases of an earlier process with this name, which must have ended. Anything that it still writes has a
 * fence lower than that of the next grant.
 */
export const INHERIT = 'UPDATE leases SET holder = $2, expires_at = $3 WHERE starts_with(holder, $1)';
