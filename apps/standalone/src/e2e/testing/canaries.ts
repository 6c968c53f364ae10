import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder, as text in which each byte is one character. */
export function filesIn(folder: string): { readonly name: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: path.slice(folder.length + 1), text: readFileSync(path, 'latin1') };
    });
}

/**
 * The canaries that a text gives away: in clear, in another case, without punctuation, in hexadecimal, or in base64 at
 * any offset.
 */
export function givenAway(text: string, canaries: readonly string[]): string[] {
  const lower = text.toLowerCase();
  return canaries.filter((canary) => {
    const bare = canary.replace(/[^0-9A-Za-z]/g, '');
    const plain = [canary, bare, taxIdAsWritten(bare)].map((form) => form.toLowerCase());
    const hex = Buffer.from(bare, 'utf8').toString('hex');
    return [...plain, hex].some((form) => lower.includes(form)) || inBase64(canary).some((form) => text.includes(form));
  });
}

const taxIdAsWritten = (digits: string): string => digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');

/** What the text looks like within base64, whatever stands before and after it. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text, 'utf8')])
      .toString('base64')
      .replace(/=+$/, '');
    const start = offset === 0 ? 0 : offset + 1;
    return encoded.slice(start, -2);
  });
}
