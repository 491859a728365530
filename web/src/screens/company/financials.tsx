import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { strings } from '#strings/company.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { AddYear } from './add-year.tsx'
import { FiguresTable } from './figures-table.tsx'
import { drawable, readFinancials, type YearOfFigures } from './financial-figures.ts'
import { JsonValue } from './json-value.tsx'
import type { CompanyRecord } from './save-company.ts'
import { Section } from './section.tsx'
import { isRecord } from './shapes.ts'
import { tellOfRemoval } from './tell-of-removal.tsx'
import { useFinancials } from './use-financials.ts'

const FinancialsChart = lazy(() => import('./financials-chart.tsx'))
const CHART_HEIGHT = 220
const NO_FIGURES = { revenue_eur: null, ebitda_eur: null }

/** The company's figures: drawn, and as a table to change. What has another shape is shown as it came. */
export function Financials({ company }: { company: CompanyRecord }) {
  const financials = useMemo(() => readFinancials(company.financials), [company.financials])
  const hasOthers = Object.keys(financials.others).length > 0
  const isEditable = company.financials === null || isRecord(company.financials)
  const [adds, setAdds] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const change = useFinancials(company)
  const last = financials.years.at(-1)

  const tell = (reason: unknown) => setError(errorMessage(reason))
  const remove = async ({ year, figures }: YearOfFigures) => {
    setError(null)
    adder.current?.focus()
    try {
      await change.remove(year, figures)
      tellOfRemoval(year, () => change.add(year, figures).catch(tell))
    } catch (reason) {
      tell(reason)
    }
  }
  const stopAdding = () => {
    setAdds(false)
    adder.current?.focus()
  }
  return (
    <Section
      title={strings.financials}
      actions={
        isEditable && (
          <Button
            ref={adder}
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setAdds(true)}
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
      {financials.years.length === 0 && !hasOthers && !adds && (
        <Text size="sm" c="dimmed">
          {strings.noFinancials}
        </Text>
      )}
      {adds && (
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
      {drawable(financials).length > 0 && financials.years.length > 1 && (
        <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
          <FinancialsChart financials={financials} />
        </Suspense>
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
