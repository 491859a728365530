/** The rows and columns of a tile: its sums, a factor, and two vectors of four columns take 13 of 16 registers. */
export const TILE_ROWS = 5
export const TILE_COLUMNS = 8

/**
 * Multiplies rows by eight columns, one tile after another. Addresses and distances are in bytes.
 * @param left the first of the rows; each is `leftStride` after the one before
 * @param right the columns, the eight numbers of one row after those of another
 * @param inner how many numbers a column has; at least 1
 * @param target where the products are written; each row is `targetStride` after the one before
 * @param tiles how many times five rows; at least 1
 * @param start eight numbers to which each row of products is added
 */
export type MultiplyRows = (
  left: number,
  leftStride: number,
  right: number,
  inner: number,
  target: number,
  targetStride: number,
  tiles: number,
  start: number,
) => void

const [LEFT, LEFT_STRIDE, RIGHT, INNER, TARGET, TARGET_STRIDE, TILES, START] = [0, 1, 2, 3, 4, 5, 6, 7]
const PARAMETERS = 8
/** How far the products of a tile are: in each of the rows, in the columns, and how many numbers are left. */
const ROWS = PARAMETERS
const POSITION = ROWS + TILE_ROWS
const LEFT_OVER = POSITION + 1
const SUMS = LEFT_OVER + 1
const COLUMNS = SUMS + 2 * TILE_ROWS
const FACTOR = COLUMNS + 2

const [TYPE_SECTION, IMPORT_SECTION, FUNCTION_SECTION, EXPORT_SECTION, CODE_SECTION] = [1, 2, 3, 7, 10]
const [I32, V128, FUNCTION, EMPTY] = [0x7f, 0x7b, 0x60, 0x40]
const [LOOP, END, BRANCH_IF] = [0x03, 0x0b, 0x0d]

/** An unsigned number in LEB128. */
const number = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]
const list = (items: number[][]): number[] => [...number(items.length), ...items.flat()]
const sized = (bytes: number[]): number[] => [...number(bytes.length), ...bytes]
const text = (value: string): number[] => sized([...Buffer.from(value)])
const section = (id: number, items: number[][]): number[] => [id, ...sized(list(items))]

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const tee = (local: number): number[] => [0x22, local]
/** Below 64, so that one byte is enough. */
const constant = (value: number): number[] => [0x41, value]
const ADD = [0x6a]
const SUBTRACT = [0x6b]
const vector = (operation: number): number[] => [0xfd, ...number(operation)]
/** The alignment is only a hint, which V8 ignores, so it is left out. */
const atOffset = (offset: number): number[] => [0, ...number(offset)]
const load = (offset: number): number[] => [...vector(0x00), ...atOffset(offset)]
const LOAD_FACTOR = [...vector(0x09), ...atOffset(0)]
const store = (offset: number): number[] => [...vector(0x0b), ...atOffset(offset)]

const row = (index: number): number => ROWS + index
const sum = (index: number, half: number): number => SUMS + 2 * index + half
const ROW_INDEXES = Array.from({ length: TILE_ROWS }, (_value, index) => index)

/** Adds the product of a factor and four columns to sums, rounded once where the processor can. */
const multiplyAndAdd = (index: number, half: number): number[] => [
  ...[...get(FACTOR), ...get(COLUMNS + half), ...get(sum(index, half))],
  ...[...vector(0x105), ...set(sum(index, half))],
]

const BODY = [
  ...[LOOP, EMPTY],
  ...ROW_INDEXES.flatMap((index) => [
    ...[...get(LEFT), ...tee(row(index)), ...get(LEFT_STRIDE), ...ADD, ...set(LEFT)],
    ...[...get(START), ...load(0), ...set(sum(index, 0))],
    ...[...get(START), ...load(16), ...set(sum(index, 1))],
  ]),
  ...[...get(RIGHT), ...set(POSITION), ...get(INNER), ...set(LEFT_OVER)],
  ...[LOOP, EMPTY],
  ...[...get(POSITION), ...load(0), ...set(COLUMNS)],
  ...[...get(POSITION), ...load(16), ...set(COLUMNS + 1)],
  ...ROW_INDEXES.flatMap((index) => [
    ...[...get(row(index)), ...LOAD_FACTOR, ...set(FACTOR)],
    ...multiplyAndAdd(index, 0),
    ...multiplyAndAdd(index, 1),
    ...[...get(row(index)), ...constant(4), ...ADD, ...set(row(index))],
  ]),
  ...[...get(POSITION), ...constant(32), ...ADD, ...set(POSITION)],
  ...[...get(LEFT_OVER), ...constant(1), ...SUBTRACT, ...tee(LEFT_OVER), BRANCH_IF, 0, END],
  ...ROW_INDEXES.flatMap((index) => [
    ...[...get(TARGET), ...get(sum(index, 0)), ...store(0)],
    ...[...get(TARGET), ...get(sum(index, 1)), ...store(16)],
    ...[...get(TARGET), ...get(TARGET_STRIDE), ...ADD, ...set(TARGET)],
  ]),
  ...[...get(TILES), ...constant(1), ...SUBTRACT, ...tee(TILES), BRANCH_IF, 0, END],
  END,
]

/**
 * A WebAssembly module that takes a memory and offers `multiplyRows` (core specification 3.0, binary format). In the text
 * format:
 *
 *     (module
 *       (import "platform" "memory" (memory 1))
 *       (func (export "multiplyRows")
 *         (param $left i32) (param $leftStride i32) (param $right i32) (param $inner i32)
 *         (param $target i32) (param $targetStride i32) (param $tiles i32) (param $start i32)
 *         (local $row0 i32) (local $row1 i32) (local $row2 i32) (local $row3 i32) (local $row4 i32)
 *         (local $position i32) (local $leftOver i32)
 *         (local $sum00 v128) (local $sum01 v128) (local $sum10 v128) (local $sum11 v128)
 *         (local $sum20 v128) (local $sum21 v128) (local $sum30 v128) (local $sum31 v128)
 *         (local $sum40 v128) (local $sum41 v128)
 *         (local $columns0 v128) (local $columns1 v128) (local $factor v128)
 *         (loop $nextTile
 *           ;; row 0
 *           (local.set $left (i32.add (local.tee $row0 (local.get $left)) (local.get $leftStride)))
 *           (local.set $sum00 (v128.load align=1 (local.get $start)))
 *           (local.set $sum01 (v128.load offset=16 align=1 (local.get $start)))
 *           ;; rows 1 to 4 in the same way
 *           (local.set $position (local.get $right))
 *           (local.set $leftOver (local.get $inner))
 *           (loop $nextNumber
 *             (local.set $columns0 (v128.load align=1 (local.get $position)))
 *             (local.set $columns1 (v128.load offset=16 align=1 (local.get $position)))
 *             ;; row 0
 *             (local.set $factor (v128.load32_splat align=1 (local.get $row0)))
 *             (local.set $sum00
 *               (f32x4.relaxed_madd (local.get $factor) (local.get $columns0) (local.get $sum00)))
 *             (local.set $sum01
 *               (f32x4.relaxed_madd (local.get $factor) (local.get $columns1) (local.get $sum01)))
 *             (local.set $row0 (i32.add (local.get $row0) (i32.const 4)))
 *             ;; rows 1 to 4 in the same way
 *             (local.set $position (i32.add (local.get $position) (i32.const 32)))
 *             (br_if $nextNumber (local.tee $leftOver (i32.sub (local.get $leftOver) (i32.const 1)))))
 *           ;; row 0
 *           (v128.store align=1 (local.get $target) (local.get $sum00))
 *           (v128.store offset=16 align=1 (local.get $target) (local.get $sum01))
 *           (local.set $target (i32.add (local.get $target) (local.get $targetStride)))
 *           ;; rows 1 to 4 in the same way
 *           (br_if $nextTile (local.tee $tiles (i32.sub (local.get $tiles) (i32.const 1)))))))
 */
const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(TYPE_SECTION, [
    [FUNCTION, ...list(Array.from({ length: PARAMETERS }, () => [I32])), ...list([])],
  ]),
  ...section(IMPORT_SECTION, [[...text('platform'), ...text('memory'), 0x02, 0x00, 0x01]]),
  ...section(FUNCTION_SECTION, [[0]]),
  ...section(EXPORT_SECTION, [[...text('multiplyRows'), 0x00, 0x00]]),
  ...section(CODE_SECTION, [
    sized([
      ...list([
        [TILE_ROWS + 2, I32],
        [2 * TILE_ROWS + 3, V128],
      ]),
      ...BODY,
    ]),
  ]),
])

/**
 * Compiles the function for this memory.
 * @throws an error that says what to do without SIMD
 */
export function compileMultiplyRows(memory: WebAssembly.Memory): MultiplyRows {
  if (!WebAssembly.validate(MODULE))
    throw new Error(
      'The processor has no WebAssembly SIMD, which the built-in model needs. Set EMBEDDINGS=builtin-words.',
    )
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { platform: { memory } })
  return exports.multiplyRows as MultiplyRows
}
