/** The rows and columns of a tile: its sums, a factor, and two vectors of four columns fit into 16 registers. */
export const TILE_ROWS = 5
export const TILE_COLUMNS = 8

/**
 * Adds up one tile of a product of matrices. All but `inner` are addresses and distances in bytes.
 * @param left the first of the rows to multiply; each is `leftStride` after the one before
 * @param right the columns to multiply, all eight numbers of one row after those of another
 * @param inner how many numbers are multiplied and added for each of the tile; at least 1
 * @param target where the tile is written; each row is `targetStride` after the one before
 */
export type AddUpTile = (
  left: number,
  leftStride: number,
  right: number,
  inner: number,
  target: number,
  targetStride: number,
) => void

const [LEFT, LEFT_STRIDE, RIGHT, INNER, TARGET, TARGET_STRIDE] = [0, 1, 2, 3, 4, 5]
const PARAMETERS = 6
/** The addresses of the rows after the first. */
const ROWS = PARAMETERS
const SUMS = ROWS + TILE_ROWS - 1
const COLUMNS = SUMS + 2 * TILE_ROWS
const FACTOR = COLUMNS + 2

const [TYPE_SECTION, IMPORT_SECTION, FUNCTION_SECTION, EXPORT_SECTION, CODE_SECTION] = [1, 2, 3, 7, 10]
const [I32, V128, FUNCTION, EMPTY] = [0x7f, 0x7b, 0x60, 0x40]
const [LOOP, END, BRANCH_IF] = [0x03, 0x0b, 0x0d]

/** A number in LEB128, which also fits signed numbers below 64. */
const number = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]
const list = (items: number[][]): number[] => [...number(items.length), ...items.flat()]
const sized = (bytes: number[]): number[] => [...number(bytes.length), ...bytes]
const text = (value: string): number[] => sized([...Buffer.from(value)])
const section = (id: number, items: number[][]): number[] => [id, ...sized(list(items))]

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const tee = (local: number): number[] => [0x22, local]
const constant = (value: number): number[] => [0x41, value]
const ADD = [0x6a]
const SUBTRACT = [0x6b]
const vector = (operation: number): number[] => [0xfd, ...number(operation)]
/** Vectors are aligned to 16 bytes at most in the wide matrices, so that no alignment is promised. */
const atOffset = (offset: number): number[] => [0, ...number(offset)]
const load = (offset: number): number[] => [...vector(0x00), ...atOffset(offset)]
const LOAD_FACTOR = [...vector(0x09), ...atOffset(0)]
const store = (offset: number): number[] => [...vector(0x0b), ...atOffset(offset)]

const row = (index: number): number => (index === 0 ? LEFT : ROWS + index - 1)
const sum = (index: number, half: number): number => SUMS + 2 * index + half
const ROW_INDEXES = Array.from({ length: TILE_ROWS }, (_value, index) => index)

/** Adds the product of a factor and four columns to sums: rounded once where processors can, otherwise twice. */
const multiplyAndAdd = (index: number, half: number, isFused: boolean): number[] => {
  const factors = [...get(FACTOR), ...get(COLUMNS + half)]
  const added = isFused
    ? [...factors, ...get(sum(index, half)), ...vector(0x105)]
    : [...factors, ...vector(0xe6), ...get(sum(index, half)), ...vector(0xe4)]
  return [...added, ...set(sum(index, half))]
}

const body = (isFused: boolean): number[] => [
  ...ROW_INDEXES.slice(1).flatMap((index) => [
    ...[...get(row(index - 1)), ...get(LEFT_STRIDE), ...ADD, ...set(row(index))],
  ]),
  ...[LOOP, EMPTY],
  ...[...get(RIGHT), ...load(0), ...set(COLUMNS)],
  ...[...get(RIGHT), ...load(16), ...set(COLUMNS + 1)],
  ...ROW_INDEXES.flatMap((index) => [
    ...[...get(row(index)), ...LOAD_FACTOR, ...set(FACTOR)],
    ...multiplyAndAdd(index, 0, isFused),
    ...multiplyAndAdd(index, 1, isFused),
    ...[...get(row(index)), ...constant(4), ...ADD, ...set(row(index))],
  ]),
  ...[...get(RIGHT), ...constant(32), ...ADD, ...set(RIGHT)],
  ...[...get(INNER), ...constant(1), ...SUBTRACT, ...tee(INNER), BRANCH_IF, 0, END],
  ...ROW_INDEXES.flatMap((index) => [
    ...[...get(TARGET), ...get(sum(index, 0)), ...store(0)],
    ...[...get(TARGET), ...get(sum(index, 1)), ...store(16)],
    ...[...get(TARGET), ...get(TARGET_STRIDE), ...ADD, ...set(TARGET)],
  ]),
  END,
]

/**
 * The bytes of a WebAssembly module (core specification 3.0, binary format) that takes a memory and offers `addUpTile`.
 * @param isFused whether to use the relaxed instruction that multiplies and adds at once, which is faster
 */
const moduleBytes = (isFused: boolean): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(TYPE_SECTION, [
      [FUNCTION, ...list(Array.from({ length: PARAMETERS }, () => [I32])), ...list([])],
    ]),
    ...section(IMPORT_SECTION, [[...text('platform'), ...text('memory'), 0x02, 0x00, 0x01]]),
    ...section(FUNCTION_SECTION, [[0]]),
    ...section(EXPORT_SECTION, [[...text('addUpTile'), 0x00, 0x00]]),
    ...section(CODE_SECTION, [
      sized([
        ...list([
          [TILE_ROWS - 1, I32],
          [2 * TILE_ROWS + 3, V128],
        ]),
        ...body(isFused),
      ]),
    ]),
  ])

/** Compiles the function that adds up tiles in this memory. */
export function compileTile(
  memory: WebAssembly.Memory,
  isFused = WebAssembly.validate(moduleBytes(true)),
): AddUpTile {
  const module = new WebAssembly.Module(moduleBytes(isFused))
  const { exports } = new WebAssembly.Instance(module, { platform: { memory } })
  return exports.addUpTile as AddUpTile
}
