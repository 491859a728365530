import { ActionIcon, Table, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { strings } from '#strings/company.ts'
import { EditableField } from '#web/editing/editable-field.tsx'
import { formatEuros, formatNumber } from '#web/format/format.ts'
import type { CompanyRecord } from '../../company-fields.ts'
import { EUROS, validateEuros } from '../../company-fields.ts'
import { type Financials, figureName, type YearFigures } from '../../financial-figures.ts'
import { isEditableFigure, useFinancials } from '../../hooks/use-financials.ts'
import { asNumber } from '../../type-guards.ts'
import classes from '../company.module.css'
import { formatValue, JsonValue } from '../profile/json-value.tsx'

interface FiguresTableProps {
  company: CompanyRecord
  financials: Financials
  /** Omitted: read only. */
  remove?: ((year: YearFigures) => void) | undefined
}

/** Figures by year, latest first. Revenue and EBITDA can be edited. */
export function FiguresTable({ company, financials: { years, names }, remove }: FiguresTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={0}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={strings.figuresByYear}
    >
      <Table verticalSpacing={2} style={{ fontVariantNumeric: 'tabular-nums' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{strings.year}</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} ta="right">
                {figureName(name)}
              </Table.Th>
            ))}
            {remove && (
              <Table.Th w={48}>
                <VisuallyHidden>{strings.remove}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {years.toReversed().map((entry, index) => (
            <Table.Tr key={remove ? entry.year : index}>
              <Table.Th scope="row">{entry.year}</Table.Th>
              {names.map((name) => (
                <Table.Td key={name} ta="right" className={classes.figure}>
                  <Figure company={company} year={entry} name={name} isEditable={remove !== undefined} />
                </Table.Td>
              ))}
              {remove && (
                <Table.Td>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={strings.removeYear(entry.year)}
                    onClick={() => remove(entry)}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface FigureProps {
  company: CompanyRecord
  year: YearFigures
  name: string
  isEditable: boolean
}

/** One figure. A value that is not a number is shown as it is. */
function Figure({ company, year: { year, figures }, name, isEditable }: FigureProps) {
  const financials = useFinancials(company)
  const value = figures[name]
  const number = asNumber(value)
  const format = name.endsWith('_eur') ? formatEuros : formatNumber
  const shown = number !== null && <span className={classes.number}>{format(number)}</span>
  if (!isEditable || !isEditableFigure(name) || (number === null && value !== null && value !== undefined))
    return shown || (formatValue(value) ?? <JsonValue value={value} />)
  return (
    <EditableField
      label={strings.figureOf(figureName(name), year)}
      hideLabel
      editor={EUROS}
      value={number === null ? '' : String(number)}
      display={shown}
      draftKey={`company ${company.id} financials ${year} ${name}`}
      check={validateEuros}
      save={financials.put(year, name)}
    />
  )
}
