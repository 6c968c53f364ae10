import { corrupted } from './refusals';

/** What a whole stream of deflate holds; undefined when it is none, or of more than `most` bytes. */
export type Inflate = (bytes: Buffer, most: number) => Buffer | undefined;

/** A name as it may be spelt: any letter of it in hexadecimal, `/#4aavaScript`. */
const spelt = (name: string): string => '\\/' + Array.from(name, (letter) => {
  const [high = '', low = ''] = letter.charCodeAt(0).toString(16);
  return `(?:${letter}|#${high}[${low}${low.toUpperCase()}])`;
}).join('');

/** What runs when somebody looks: no paper of a person needs it. */
const ACTIVE = new RegExp(['JavaScript', 'Launch'].map(spelt).join('|'));
/** ISO 32000-1 7.5.7: a stream that holds further objects, compressed. */
const OBJECT_STREAM = new RegExp(spelt('ObjStm'), 'g');
const BYTES_OF = /stream\r?\n/g;
/** Rows with a byte of their own in front, in which a name would be cut in two. Nobody writes objects so. */
const PREDICTED = new RegExp(spelt('DecodeParms'));
/** Of all of them together. A page of text takes some kilobytes. */
const MAX_OBJECTS_BYTES = 32 * 1024 * 1024;
/** Each has room for a hundred objects and more. */
const MAX_STREAMS = 1_000;

/** Looks for active content, in objects that are compressed as well. What cannot be read for that is refused. */
export function checkPassive(bytes: Buffer, inflate: Inflate): void {
  const text = bytes.toString('latin1');
  refuseActive(text);
  let left = MAX_OBJECTS_BYTES;
  for (const { dictionary, start } of objectStreams(text)) {
    const objects = PREDICTED.test(dictionary) || left === 0 ? undefined : inflate(bytes.subarray(start), left);
    if (!objects) return corrupted('the PDF has objects that cannot be read');
    left -= objects.length;
    refuseActive(objects.toString('latin1'));
  }
}

/** Each once, however often its dictionary says what it is: the work stays in proportion to the file. */
function objectStreams(text: string): readonly { readonly dictionary: string; readonly start: number }[] {
  const found: { dictionary: string; start: number }[] = [];
  const streams = text.matchAll(BYTES_OF);
  let stream = streams.next();
  for (const { index } of text.matchAll(OBJECT_STREAM)) {
    while (!stream.done && stream.value.index < index) stream = streams.next();
    if (stream.done) break;
    const start = stream.value.index + stream.value[0].length;
    if (found.at(-1)?.start === start) continue;
    found.push({ dictionary: text.slice(text.lastIndexOf('obj', index), stream.value.index), start });
    if (found.length > MAX_STREAMS) return corrupted('the PDF has objects that cannot be read');
  }
  return found;
}

function refuseActive(text: string): void {
  if (ACTIVE.test(text)) corrupted('the PDF has active content');
}
