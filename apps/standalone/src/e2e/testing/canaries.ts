import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads every file below a folder as text with one character per byte. */
export function filesIn(folder: string): { readonly name: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: path.slice(folder.length + 1), text: readFileSync(path, 'latin1') };
    });
}

/**
 * Finds the canaries that a text contains: in clear, in another case, without punctuation, in hexadecimal, or in base64
 * at any offset.
 */
export function canariesIn(text: string, canaries: readonly string[]): string[] {
  const lower = text.toLowerCase();
  return canaries.filter((canary) => {
    const bare = canary.replace(/[^0-9A-Za-z]/g, '');
    const plain = [canary, bare, taxIdAsWritten(bare)].map((form) => form.toLowerCase());
    const hex = Buffer.from(bare, 'utf8').toString('hex');
    return [...plain, hex].some((form) => lower.includes(form)) || inBase64(canary).some((form) => text.includes(form));
  });
}

const taxIdAsWritten = (digits: string): string => digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');

/** The forms that the text takes inside base64, depending on its offset and regardless of surrounding text. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text, 'utf8')])
      .toString('base64')
      .replace(/=+$/, '');
    const start = offset === 0 ? 0 : offset + 1;
    return encoded.slice(start, -2);
  });
}
