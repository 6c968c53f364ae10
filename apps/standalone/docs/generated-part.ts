const START = '<!-- Written by `npm run docs`. -->\n';
const END = '<!-- The end of what `npm run docs` writes. -->';

/** Returns the document with another text between its two marks. */
export function withGeneratedPart(document: string, text: string): string {
  const [before, rest] = document.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error('the document lacks the marks around its generated part');
  return `${before}${START}\n${text}\n\n${END}${after}`;
}
