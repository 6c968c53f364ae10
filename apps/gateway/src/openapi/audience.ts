import type { OpenAPIObject } from '@nestjs/swagger';

/** The readers of a document: partners, or staff and operators. */
type Audience = 'partner' | 'staff';

const STAFF_PATHS = '/staff/';

/**
 * Pure: the document reduced to the operations of one audience. Paths below `/staff/` are for staff and operators, all
 * others for partners.
 */
export const forAudience = (document: OpenAPIObject, audience: Audience): OpenAPIObject => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith(STAFF_PATHS) === (audience === 'staff')),
  ),
});
