import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { InjectGiven } from './inject-given';

class Part {}

const withPart = (given: Type | undefined) => {
  @Injectable()
  class Whole {
    constructor(@InjectGiven(given) readonly part: Part | undefined) {}
  }
  return Whole;
};
const created = async (whole: Type<{ part: Part | undefined }>, ...provided: Type[]) =>
  (await Test.createTestingModule({ providers: [whole, ...provided] }).compile()).get(whole).part;

describe('InjectGiven', () => {
  it('injects the class that is given', async () => {
    expect(await created(withPart(Part), Part)).toBeInstanceOf(Part);
  });

  it('injects undefined if no class is given', async () => {
    expect(await created(withPart(undefined), Part)).toBeUndefined();
  });

  it('fails if the class that is given is not provided', async () => {
    await expect(created(withPart(Part))).rejects.toThrow('Part');
  });
});
