import { csvOf } from './csv';

describe('a CSV report', () => {
  it('has a header and a line for each row, in the order of the columns', () => {
    expect(csvOf({ a: '', 'b-c': 0 }, [{ 'b-c': 2, a: '1.50' }])).toBe('a,b-c\r\n1.50,2\r\n');
  });

  it('quotes fields with commas, quotes or line breaks', () => {
    expect(csvOf({ a: '' }, [{ a: 'x,"y"\n' }])).toBe('a\r\n"x,""y""\n"\r\n');
  });
});
