import type { RoutePolicy } from '../edge/route-policy';
import { PageQuery, timeRangeViolations } from '../pagination/page-query';
import { NO_MEMBERS, ShapeCheck } from '../validation/shape-check';
import type { OperationSpec } from './operation-spec';

/** The rules that the gateway enforces for an operation. */
export const policyOf = (spec: OperationSpec, method: string): RoutePolicy => ({
  operation: spec.operation ?? spec.id,
  reach: spec.reach,
  roles: spec.roles ?? [],
  keyed: takesKey(spec, method),
  produces: mediaTypesOf(spec),
  write: method !== 'GET',
  whileFrozen: method === 'GET' ? 'allowed' : (spec.whileFrozen ?? 'refused'),
  shedPriority: spec.shedPriority ?? null,
  dryRun: spec.dryRun ?? false,
  body: bodyCheck(spec, method),
  query: queryCheck(spec),
  successor: spec.successor ?? null,
  secretAnswer: spec.secretAnswer ?? false,
  bodyLimit: spec.bodyLimit ?? null,
  readForm: spec.multipart?.read ?? null,
});

/** The media types of a response, without parameters such as the charset. */
const mediaTypesOf = ({ bytes = ['application/json'] }: OperationSpec): string[] =>
  bytes.map((type) => (type.split(';')[0] ?? '').trim().toLowerCase());

/** Whether the operation accepts an Idempotency-Key: by default every POST and PATCH of partners and operators. */
export const takesKey = ({ reach, keyed = true }: OperationSpec, method: string): boolean =>
  keyed && reach !== 'session' && (method === 'POST' || method === 'PATCH');

/** An operation without a body accepts only an empty object. */
const bodyCheck = ({ body }: OperationSpec, method: string): ShapeCheck | null => {
  if (body) return new ShapeCheck(body.shape, 'refuse', body.form);
  return method === 'GET' ? null : NO_MEMBERS;
};

const queryCheck = ({ query }: OperationSpec): ShapeCheck | null => {
  if (!query) return null;
  const isList = query === PageQuery || query.prototype instanceof PageQuery;
  return new ShapeCheck(query, 'ignore', isList ? { violations: timeRangeViolations } : {});
};
