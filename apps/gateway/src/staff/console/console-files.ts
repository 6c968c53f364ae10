import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendInPieces } from '../../bodies/in-pieces';
import { ApiError } from '../../errors/api-error';
import { CONSOLE_POLICY } from './secure-headers';

/** Content types by file extension. Files with other extensions are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};
/** Configuration files of development tools. */
const NOT_SERVED: ReadonlySet<string> = new Set(['tsconfig.json', 'jsconfig.json', 'package.json']);
const INDEX = 'index.html';
const NOT_MODIFIED = 304;

export interface ConsoleFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

/** The folder next to the bundle, or the one in the source tree. */
const folders = (): string[] => [join(__dirname, 'console'), join(__dirname, '../../../console')];

/**
 * Serves the console at `/console` from memory: a path is looked up in a table and never in a folder, so no path leads
 * outside. A path without a file extension is one of the console's own and gets its page.
 */
export function serveConsole(server: FastifyInstance): void {
  const files = readFiles(folders().find((folder) => existsSync(join(folder, INDEX))));
  const page = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, files.get(INDEX));
  server.get('/console', page);
  server.get('/console/', page);
  server.get('/console/*', (request, reply) => {
    const path = (request.params as Record<string, string>)['*'] ?? '';
    return extname(path) === '' ? page(request, reply) : send(request, reply, files.get(path));
  });
}

export function readFiles(folder: string | undefined): ReadonlyMap<string, ConsoleFile> {
  if (folder === undefined) return new Map();
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !NOT_SERVED.has(entry.name),
  );
  return new Map(
    found.flatMap((entry): [string, ConsoleFile][] => {
      const type = TYPES[extname(entry.name)];
      if (type === undefined) return [];
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      return [
        [
          relative(folder, path).split(sep).join('/'),
          { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` },
        ],
      ];
    }),
  );
}

function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile | undefined): FastifyReply {
  if (!file) throw new ApiError('route-not-found');
  reply.headers({ 'content-security-policy': CONSOLE_POLICY, 'cache-control': 'no-cache', etag: file.etag });
  return request.headers['if-none-match'] === file.etag
    ? reply.code(NOT_MODIFIED).send()
    : sendInPieces(reply.type(file.type), file.bytes);
}
