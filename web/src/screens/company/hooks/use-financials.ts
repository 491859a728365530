import { EditConflict } from '#web/editing/edit-conflict.ts'
import { isEqual } from '#web/editing/record-changes.ts'
import type { CompanyRecord } from '../company-fields.ts'
import { isRecord } from '../type-guards.ts'
import { useUpdateField } from './use-update-field.ts'

/** Figures that can be edited. Others are kept as they are. */
export const EDITABLE_FIGURES = ['revenue_eur', 'ebitda_eur'] as const
type EditableFigure = (typeof EDITABLE_FIGURES)[number]

export const isEditableFigure = (name: string): name is EditableFigure =>
  EDITABLE_FIGURES.some((usual) => usual === name)

/**
 * Changes to the figures. Years and figures that someone else changed at the same time stay as they are. A change
 * throws EditConflict if someone else changed or removed the same figure or year.
 */
export function useFinancials(company: CompanyRecord) {
  const change = useUpdateField(company, 'financials')
  return {
    put: (year: string, name: EditableFigure) => (text: string, seen: string) =>
      change((financials) => {
        const figures = financials?.[year]
        const remote = isRecord(figures) ? String(figures[name] ?? '') : ''
        if (!isRecord(figures) || remote !== seen) throw new EditConflict(remote)
        return { ...financials, [year]: { ...figures, [name]: text === '' ? null : Number(text) } }
      }),
    /** Adds a year unless it exists. */
    add: (year: string, figures: unknown) => change((financials) => ({ [year]: figures, ...financials })),
    remove: (year: string, figures: unknown) =>
      change((financials) => {
        const { [year]: remote, ...remaining } = financials ?? {}
        if (!isEqual(remote, figures)) throw new EditConflict('')
        return remaining
      }),
  }
}
