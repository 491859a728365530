import type { ReportTab } from './components/report/report-tabs.ts'

/** The tabs of the report before the import. Their ids start with it. */
export const REPORT_ID = 'import-report'
export const COLUMNS_ID = 'import-columns'

/** Moves to the chosen tab of the report. */
export const goToTab = (tab: ReportTab): void => goTo(document.getElementById(`${REPORT_ID}-tab-${tab}`))

export const goToColumns = (): void => goTo(document.querySelector<HTMLElement>(`#${COLUMNS_ID} select`))

/** Goes to the format of a column, and to the first answer that it asks for. */
export function goToFormat(column: string): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-format]')]
  const row = rows.find(({ dataset }) => dataset.format === column)
  goTo(row?.querySelector<HTMLElement>('button, input, select'))
}

/** Gives an element the focus, and brings its section to the top of the window. */
function goTo(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true })
  element?.closest('section')?.scrollIntoView({ block: 'start' })
}
