import type { FastifyRequest } from 'fastify';
import { Response } from 'undici';
import { ApiError, shapeError } from '../errors/api-error';
import { shownName } from '../validation/field-name';
import { isRepeated } from './json-body';

/** The parts of a form by name: the text of a field or the bytes of a file. File names are ignored. */
export type FormFields = Readonly<Record<string, string | Uint8Array>>;

/** More parts than any form here has. Each costs the parser, and a body has room for a hundred thousand. */
const MAX_PARTS = 8;

/** A part here has two or three headers. Each costs the parser, and a body has room for millions. */
const MAX_HEADER_BYTES = 4_096;
const HEADERS_END = '\r\n\r\n';
const HEADERS = `the headers of a part must have at most ${MAX_HEADER_BYTES} bytes and end with an empty line`;

/** RFC 2046 allows 70 characters. Some clients send more. */
const MAX_BOUNDARY = 200;
const INSIDE = 'the boundary of multipart/form-data must not occur within a part; use a longer one';
const LINE_ENDS = 'the lines of multipart/form-data must end with CR LF';

const malformed = (message: string): ApiError => shapeError([{ path: '', code: 'invalid-format', message }]);

/**
 * Parses a form, on routes that accept one. The whole body is kept in memory: a signed token contains its hash, and
 * nothing may be stored before that is checked. Parsing it as a stream would therefore gain nothing.
 */
export async function multipartBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
  const { call, headers, raw } = request;
  const readForm = call.policy?.readForm;
  if (!readForm || isRepeated(raw.rawHeaders, 'content-type')) throw new ApiError('unsupported-media-type');
  call.rawBody = body;
  return readForm(await fieldsOf(headers['content-type'] ?? '', body));
}

async function fieldsOf(contentType: string, body: Buffer): Promise<FormFields> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) throw malformed('multipart/form-data requires a boundary parameter');
  if (boundary.length < 1 || boundary.length > MAX_BOUNDARY)
    throw malformed(`the boundary of multipart/form-data must have 1 to ${MAX_BOUNDARY} characters`);
  checkParts(boundary, body);
  // Pass on exactly the boundary that was counted, because the parser might read an ambiguous header differently.
  const form = await new Response(body, { headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` } })
    .formData()
    .catch(() => {
      throw malformed('the body is not valid multipart/form-data');
    });
  const fields: [string, string | Uint8Array][] = [];
  for (const [name, value] of form.entries())
    fields.push([name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer())]);
  const twice = fields.find(([name], at) => fields.findIndex(([other]) => other === name) < at);
  if (twice) throw shapeError([{ path: shownName(twice[0]), code: 'invalid-format', message: 'must be sent once' }]);
  return Object.fromEntries(fields);
}

function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\\]*)"|([^\s;"\\]*))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

/**
 * Refuses a form with too many parts or long headers, and one whose parts contain the boundary, where the parser would
 * end them. Counts the boundaries without parsing what is between them.
 */
function checkParts(boundary: string, body: Buffer): void {
  const text = Buffer.from(boundary, 'latin1');
  const sections: Buffer[] = [];
  for (let at = body.indexOf(text); at !== -1; at = body.indexOf(text, at + text.length)) {
    if (!isDelimiter(body, at)) throw malformed(followsLineFeed(body, at) ? LINE_ENDS : INSIDE);
    // The last delimiter closes the form.
    if (sections.length > MAX_PARTS) throw malformed(`a form must have at most ${MAX_PARTS} parts`);
    sections.push(body.subarray(at + text.length, at + text.length + MAX_HEADER_BYTES));
  }
  for (const section of sections) if (!section.includes(HEADERS_END) && !isClosing(section)) throw malformed(HEADERS);
}

/** Whether the boundary at this place follows two hyphens at the beginning of a line. */
function isDelimiter(body: Buffer, at: number): boolean {
  const before = body.toString('latin1', Math.max(0, at - 4), at);
  return before === '\r\n--' || (at === 2 && before === '--');
}

/** Whether a delimiter before this closes the form. */
const isClosing = (section: Buffer): boolean => section.toString('latin1', 0, 2) === '--';

/** Whether the boundary would be a delimiter if the line before it ended with CR LF instead of LF. */
const followsLineFeed = (body: Buffer, at: number): boolean =>
  body.toString('latin1', Math.max(0, at - 3), at) === '\n--';
