/** What a file sees without an import. Written by scripts/visible-names.ts: the preludes and the primitive types: Rust's own documentation (rustup doc). */
export const visible: ReadonlySet<string> = new Set(
  `
  AsMut AsRef AsyncFn AsyncFnMut AsyncFnOnce Box Clone Copy Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut
  FnOnce From FromIterator Future Into IntoFuture IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Self Send Sized
  Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec align_of align_of_val alloc bool char core drop f128 f16 f32 f64 i128 i16
  i32 i64 i8 isize size_of size_of_val slice std str u128 u16 u32 u64 u8 usize
  `
    .trim()
    .split(/\s+/),
);
