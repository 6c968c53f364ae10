import type { FastifyReply, FastifyRequest } from 'fastify';

const HTML = 'text/html; charset=utf-8';
const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';
const page = (title: string, head: string, body: string): string =>
  `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">${VIEWPORT}` +
  `<title>${title}</title>${head}</head><body>${body}</body></html>\n`;

/** Whether the client is a browser that displays pages. */
export const takesPages = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

/**
 * Sends a page that continues to `path` by itself. After a redirect the navigation would still count as started by the
 * provider, and browsers then do not send a Strict cookie.
 */
export const sendOnward = (reply: FastifyReply, path: string): FastifyReply =>
  reply
    .type(HTML)
    .send(
      page(
        'Signed in',
        `<meta http-equiv="refresh" content="0; url=${escaped(path)}">`,
        `<p>Signed in. <a href="${escaped(path)}">Continue to the console</a></p>`,
      ),
    );

export const sendRefusal = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply
    .code(status)
    .type(HTML)
    .send(
      page(
        'Not signed in',
        '',
        `<h1>Not signed in</h1><p>${escaped(message)}</p><p><a href="/console/">Back to the console</a></p>`,
      ),
    );
