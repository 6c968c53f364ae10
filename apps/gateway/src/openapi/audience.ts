import type { OpenAPIObject } from '@nestjs/swagger';

/** Who reads a document: partners, or staff and operators. */
export type Audience = 'partner' | 'staff';

const STAFF_PATHS = '/staff/';

/**
 * Pure: the document with the operations of one audience alone. What lies below `/staff/` is for staff and operators,
 * everything else for partners.
 */
export const forAudience = (document: OpenAPIObject, audience: Audience): OpenAPIObject => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith(STAFF_PATHS) === (audience === 'staff')),
  ),
});
