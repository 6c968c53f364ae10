import type { FastifyReply, FastifyRequest } from 'fastify';

const HTML = 'text/html; charset=utf-8';
const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';
const page = (title: string, head: string, body: string): string =>
  `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">${VIEWPORT}` +
  `<title>${title}</title>${head}</head><body>${body}</body></html>\n`;

/** Whether the caller is a browser that shows pages. */
export const takesPages = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

/**
 * A page of ours that goes on by itself. A redirect would still be the navigation that the provider began, and a Strict
 * cookie does not go with that one.
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
