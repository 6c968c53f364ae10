import { BadList } from './bad-list';
import { PlainXml } from './plain-xml';

function plainOf(xml: string, length: number): string {
  const plain = new PlainXml();
  let text = '';
  for (let from = 0; from < xml.length; from += length) text += plain.push(xml.slice(from, from + length));
  plain.end();
  return text;
}

describe('Plain XML', () => {
  it.each([
    ['leaves text and tags as they are', '<a b="c" d=\'e\'>f &gt; > g</a >', '<a b="c" d=\'e\'>f &gt; > g</a >'],
    ['has no comments', '<a><!-- <b> --><!----></a>', '<a></a>'],
    ['has CDATA as text', '<a>b<![CDATA[</a> & ]] ]>]]>c</a>', '<a>b&lt;/a&gt; &amp; ]] ]&gt;c</a>'],
    [
      'has no greater-than sign in attributes',
      `<a b="c>d" e='/>' f="'>">g</a>`,
      `<a b="c&gt;d" e='/&gt;' f="'&gt;">g</a>`,
    ],
    [
      'has nothing that looks like a tag, a comment or an attribute in processing instructions',
      `<?xml version="1.0"?><a><?b <c> it's <!-- ?><d/></a>`,
      '<?xml version= 1.0 ?><a><?b  c  it s  !-- ?><d/></a>',
    ],
  ])('%s, wherever its pieces end', (_, xml, plain) => {
    for (let length = 1; length <= xml.length; length += 1) expect(plainOf(xml, length)).toBe(plain);
  });

  it.each([
    ['a document type', '<!DOCTYPE a><a/>', 'the list declares a document type'],
    ['an entity', '<a><!ENTITY b "c"></a>', 'the list declares a document type'],
    ['a tag within an attribute', '<a b="</a>">', 'the list is not well-formed XML'],
    ['a comment within an attribute', '<a b="<!--"><c/><a b="-->"/></a>', 'the list is not well-formed XML'],
    ['a tag within a tag', '<a <b>>', 'the list is not well-formed XML'],
    ['a comment that does not end', '<a/><!-- --', 'the list is not well-formed XML'],
    ['CDATA that does not end', '<a><![CDATA[]]</a>', 'the list is not well-formed XML'],
    ['a processing instruction that does not end', '<a/><?b ?', 'the list is not well-formed XML'],
    ['a tag that does not end', '<a></a', 'the list is not well-formed XML'],
    ['an attribute that does not end', '<a b="c>', 'the list is not well-formed XML'],
    ['the beginning of a tag', '<a/><', 'the list is not well-formed XML'],
    ['a huge tag', `<a b="${'c'.repeat(2 ** 16)}"`, 'a tag of the list has more than 65536 characters'],
  ])('is refused with %s', (_, xml, message) => {
    for (const pieces of [1, 3, 256]) expect(() => plainOf(xml, Math.ceil(xml.length / pieces))).toThrow(message);
    expect(() => plainOf(xml, xml.length)).toThrow(BadList);
  });
});
