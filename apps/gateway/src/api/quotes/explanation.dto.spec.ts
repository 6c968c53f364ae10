import 'reflect-metadata';
import { memberDescriptions } from '../../validation/members';
import { ExplanationDto } from './explanation.dto';
import { QuoteRequestDto } from './quote.dto';

describe('the explanation of a quote', () => {
  it('shows the requested amount however long a quote accepts it', () => {
    const longest = (shape: typeof ExplanationDto | typeof QuoteRequestDto, name: string) =>
      memberDescriptions(shape).get(name)?.schema['maxLength'];
    expect(longest(ExplanationDto, 'given-amount')).toBe(longest(QuoteRequestDto, 'source-amount'));
    expect(longest(ExplanationDto, 'given-amount')).toBe(80);
  });
});
