import { allOf, type Filter, isLeaf, partsOf } from '#web/filters/tree.ts'
import { isSameFilter } from './view-state.ts'

/** How a screen's own controls, such as a choice of statuses, read and write the filter of a view. */
export type FilterControls<Values> = {
  [K in keyof Values]-?: {
    /** The value that a part of the filter stands for. */
    read: (part: Filter) => Values[K] | undefined
    write: (value: NonNullable<Values[K]>) => Filter
  }
}

/** Words as the service stores them. The service normalizes others when it filters, so they stay in the filter. */
const NORMALIZED_WORD = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/

/** A control for one word of a field. */
export const wordControl = (field: string) => ({
  read: (part: Filter): string | undefined =>
    isLeaf(part) &&
    part.field === field &&
    part.op === 'eq' &&
    typeof part.value === 'string' &&
    NORMALIZED_WORD.test(part.value)
      ? part.value
      : undefined,
  write: (value: string): Filter => ({ field, op: 'eq', value }),
})

type WithFilter<Values> = Partial<Values> & { filter?: Filter }

/** The filter of a view: the parts that the controls stand for, in their order, then the rest. */
export function withControls<Values extends object>(
  { filter, ...values }: WithFilter<Values>,
  controls: FilterControls<Values>,
): Filter | null {
  const written = keysOf(controls).flatMap((key) => {
    const value = (values as Partial<Values>)[key]
    return value === undefined || value === null ? [] : [controls[key].write(value)]
  })
  return allOf([...written, ...partsOf(filter)]) ?? null
}

/** The values of the controls for the filter of a view, and the rest. Reverses `withControls`. */
export function readControls<Values extends object>(
  filter: Filter | null,
  controls: FilterControls<Values>,
): WithFilter<Values> {
  const values: Partial<Values> = {}
  const keyOf = (part: Filter) =>
    keysOf(controls).find((key) => values[key] === undefined && controls[key].read(part) !== undefined)
  const parts = partsOf(filter ?? undefined)
  const others = parts.filter((part) => {
    const key = keyOf(part)
    if (key) values[key] = controls[key].read(part)
    return key === undefined
  })
  const rest = allOf(others)
  const read: WithFilter<Values> = { ...values, ...(rest && { filter: rest }) }
  // In another order, the list would differ from its view from the start.
  const isReversible = isSameFilter(withControls(read, controls), allOf(parts) ?? null)
  return isReversible ? read : ({ ...(filter && { filter }) } as WithFilter<Values>)
}

const keysOf = <Values>(controls: FilterControls<Values>) => Object.keys(controls) as (keyof Values)[]
