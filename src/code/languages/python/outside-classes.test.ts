import { beforeAll, expect, test } from 'vitest';
import { python } from './index.ts';
import { outsideClass } from './outside-classes.ts';
import { factsOf } from './reading.ts';

beforeAll(() => python.prepare());

test("Django's choices are enums with more members, and later releases may add some", () => {
  const facts = factsOf('from django.db import models', 'class Status(models.TextChoices): pass');
  const choices = outsideClass(facts, 'models.TextChoices');
  expect(choices?.isFixed).toBe(false);
  expect(['labels', 'value', 'upper'].every((name) => choices?.members.has(name))).toBe(true);
  expect(choices?.members.has('PENDING')).toBe(false);
});

test('a class of an unknown package is not listed', () => {
  expect(outsideClass(factsOf('from shop.db import models'), 'models.TextChoices')).toBeUndefined();
});
