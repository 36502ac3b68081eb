/** What a file sees without an import. Written by scripts/visible-names.ts: get_declared_classes and get_declared_interfaces, for files without a namespace. */
export const visible: ReadonlySet<string> = new Set(
  `
  ArrayAccess ArrayIterator ArrayObject Closure Countable DateTime DateTimeImmutable DateTimeInterface Error Exception Generator
  InvalidArgumentException Iterator IteratorAggregate JsonSerializable LogicException PDO ReflectionClass RuntimeException
  SplObjectStorage Stringable Throwable Traversable
  `
    .trim()
    .split(/\s+/),
);
