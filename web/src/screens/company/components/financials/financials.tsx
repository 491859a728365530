import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { strings } from '#strings/company.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { useCan } from '#web/api/use-can.ts'
import { useFocusWhenClosed } from '#web/browser/focus.ts'
import { Section } from '#web/ui/section.tsx'
import type { CompanyRecord } from '../../company-fields.ts'
import { chartableFigures, readFinancials, type YearFigures } from '../../financial-figures.ts'
import { useFinancials } from '../../hooks/use-financials.ts'
import { isRecord } from '../../type-guards.ts'
import { JsonValue } from '../profile/json-value.tsx'
import { AddYear } from './add-year.tsx'
import { FiguresTable } from './figures-table.tsx'
import { FinancialsChart } from './financials-chart.tsx'

const NO_FIGURES = { revenue_eur: null, ebitda_eur: null }

/** The figures as a chart and an editable table. Data of unknown shape is shown as it is. */
export function Financials({ company }: { company: CompanyRecord }) {
  const financials = useMemo(() => readFinancials(company.financials), [company.financials])
  const hasOthers = Object.keys(financials.others).length > 0
  const mayWrite = useCan('write')
  const isEditable = mayWrite && (company.financials === null || isRecord(company.financials))
  const [isAdding, setIsAdding] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const change = useFinancials(company)
  const last = financials.years.at(-1)

  const remove = async ({ year, figures }: YearFigures) => {
    setError(null)
    addButton.current?.focus()
    try {
      await change.remove(year, figures)
    } catch (reason) {
      setError(errorMessage(reason))
    }
  }
  const stopAdding = () => setIsAdding(false)
  useFocusWhenClosed(isAdding, addButton)
  return (
    <Section
      title={strings.financials}
      actions={
        isEditable && (
          <Button
            ref={addButton}
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setIsAdding(true)}
          >
            {strings.addYear}
          </Button>
        )
      }
    >
      {error && (
        <Alert color="red" role="alert" withCloseButton onClose={() => setError(null)}>
          {error}
        </Alert>
      )}
      {financials.years.length === 0 && !hasOthers && !isAdding && (
        <Text size="sm" c="dimmed">
          {strings.noFinancials}
        </Text>
      )}
      {isAdding && (
        <AddYear
          next={last ? Number(last.year) + 1 : new Date().getFullYear() - 1}
          taken={Object.keys(company.financials ?? {})}
          add={async (year) => {
            await change.add(year, NO_FIGURES)
            stopAdding()
          }}
          cancel={stopAdding}
        />
      )}
      {chartableFigures(financials).length > 0 && financials.years.length > 1 && (
        <FinancialsChart financials={financials} />
      )}
      {last && (
        <FiguresTable company={company} financials={financials} remove={isEditable ? remove : undefined} />
      )}
      {hasOthers && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {strings.otherFigures}
          </Text>
          <JsonValue value={financials.others} />
        </Stack>
      )}
    </Section>
  )
}
