import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../gateway.config';

export const V0 = '/api/v0/';

/** Adds the headers that announce the end of v0 and its successor. They are on every v0 response, including errors. */
export function announceDeprecation(request: FastifyRequest, reply: FastifyReply, settings: GatewaySettings): void {
  reply.header('deprecation', settings.v0Deprecation);
  reply.header('sunset', settings.v0Sunset);
  const successor = `<${successorOf(request)}>; rel="successor-version"`;
  const link = reply.getHeader('link');
  reply.header('link', link === undefined ? successor : `${String(link)}, ${successor}`);
}

/**
 * The v1 path of the same operation. While the caller's account is not known (a 401), only the part of the path before
 * it, because a link must be a URL and no client could follow a placeholder.
 */
function successorOf({ call, params, routeOptions }: FastifyRequest): string {
  const template = routeOptions.config.policy?.successor;
  if (!template) return '/api/v1';
  const values: Record<string, string> = {
    ...(params as Record<string, string>),
    ...(call.accountId ? { accountId: call.accountId } : {}),
  };
  const known: string[] = [];
  for (const part of template.split('/')) {
    const value = part.startsWith(':') ? values[part.slice(1)] : part;
    if (value === undefined) break;
    known.push(part.startsWith(':') ? encodeURIComponent(value) : part);
  }
  return known.join('/');
}
