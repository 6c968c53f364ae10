import 'reflect-metadata';
import { fieldDescriptions } from '../../validation/fields';
import { ExplanationDto } from './explanation.dto';
import { QuoteRequestDto } from './quote.dto';

describe('the explanation of a quote', () => {
  it('shows the requested amount however long a quote accepts it', () => {
    const longest = (shape: typeof ExplanationDto | typeof QuoteRequestDto, name: string) =>
      fieldDescriptions(shape).get(name)?.schema['maxLength'];
    expect(longest(ExplanationDto, 'given-amount')).toBe(longest(QuoteRequestDto, 'source-amount'));
    expect(longest(ExplanationDto, 'given-amount')).toBe(80);
  });
});
